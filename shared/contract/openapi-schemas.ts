import * as z from 'zod'

import { apiKeySchema } from './api-key.ts'
import { assistantSchema, personSchema } from './assistant.ts'
import { callAttemptSchema, speechEventSchema, transcriptEntrySchema } from './call-attempt.ts'
import { callOrderSchema, contactSchema } from './call-order.ts'
import { callRetryConfigSchema } from './call-retry-config.ts'
import { campaignRowSchema, campaignSchema, campaignUploadSchema } from './campaign.ts'
import { connectionSchema } from './connection.ts'
import { customToolSchema } from './custom-tools.ts'
import {
  customModelSchema,
  dedicatedInstanceSchema,
  llmModelSchema,
  realtimeSchema,
  routerSchema,
} from './llm-model.ts'
import { phoneNumberSchema } from './phone-number.ts'
import { problemSchema } from './problem.ts'
import { success } from './route-parts.ts'
import {
  reducedStructuredOutputFieldSchema,
  structuredOutputFieldSchema,
} from './structured-output-field.ts'
import { suppressionSchema } from './suppression.ts'
import { userSchema } from './user.ts'
import { catalogueVoiceSchema } from './voice-catalogue.ts'
import {
  voice1Schema,
  voice2Schema,
  voice3Schema,
  voiceAnswerSchema,
  voiceSchema,
} from './voice.ts'
import { webhookEndpointSchema } from './webhook-endpoint.ts'

/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 takes it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

/** What is sent (`input`), with gaps that are filled, or what is answered (`output`). */
export type Direction = 'input' | 'output'

/** Schemas that stand under a name of their own, so that generated clients have a type for each. */
const NAMED: readonly (readonly [name: string, schema: z.ZodType])[] = [
  ['ApiKey', apiKeySchema],
  ['Assistant', assistantSchema],
  ['CallAttempt', callAttemptSchema],
  ['CallOrder', callOrderSchema],
  ['CallRetryConfig', callRetryConfigSchema],
  ['Campaign', campaignSchema],
  ['CampaignRow', campaignRowSchema],
  ['CampaignUpload', campaignUploadSchema],
  ['CatalogueVoice', catalogueVoiceSchema],
  ['Connection', connectionSchema],
  ['Contact', contactSchema],
  ['CustomModel', customModelSchema],
  ['CustomTool', customToolSchema],
  ['DedicatedInstanceModel', dedicatedInstanceSchema],
  ['LlmModel', llmModelSchema],
  ['Person', personSchema],
  ['PhoneNumber', phoneNumberSchema],
  ['Problem', problemSchema],
  ['RealtimeModel', realtimeSchema],
  ['RouterModel', routerSchema],
  ['SpeechEvent', speechEventSchema],
  ['StructuredOutputField', structuredOutputFieldSchema],
  ['Success', success],
  ['ReducedStructuredOutputField', reducedStructuredOutputFieldSchema],
  ['Suppression', suppressionSchema],
  ['TranscriptEntry', transcriptEntrySchema],
  ['User', userSchema],
  ['Voice', voiceAnswerSchema],
  ['Voice', voiceSchema],
  ['VoiceOfProvider1', voice1Schema],
  ['VoiceOfProvider2', voice2Schema],
  ['VoiceOfProvider3', voice3Schema],
  ['WebhookEndpoint', webhookEndpointSchema],
]

const names = new Map<z.core.$ZodType, string>(NAMED.map(([name, schema]) => [schema, name]))

/** Turns zod schemas into JSON Schemas and collects those that they refer to by name. */
export function schemaCollection() {
  const collected: Record<string, JsonSchema> = {}

  function refer(schema: z.core.$ZodType, direction: Direction): JsonSchema {
    const name = nameOf(schema, direction)
    if (name === undefined) return convert(schema, direction)
    if (collected[name] === undefined) {
      // Holds the place while the schema is converted: schemas may refer to each other.
      collected[name] = {}
      collected[name] = convert(schema, direction)
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  function convert(root: z.core.$ZodType, direction: Direction): JsonSchema {
    const { $schema: _, ...schema } = z.toJSONSchema(root, {
      io: direction,
      override: ({ zodSchema, jsonSchema }) => {
        if (!Object.is(zodSchema, root) && names.has(zodSchema)) {
          replace(jsonSchema, refer(zodSchema, direction))
        } else {
          tidy(jsonSchema, direction)
          if (zodSchema instanceof z.ZodDiscriminatedUnion) {
            discriminate(jsonSchema, zodSchema, direction)
          }
        }
      },
    })
    return schema
  }

  /** Says by which value of which field a variant is known: many languages have no other way. */
  function discriminate(
    schema: JsonSchema,
    union: z.ZodDiscriminatedUnion,
    direction: Direction,
  ): void {
    const propertyName = union.def.discriminator
    const variants = union.options.map((option) => ({
      reference: refer(option, direction),
      values: [...(option._zod.propValues?.[propertyName] ?? [])],
    }))
    schema.oneOf = variants.map(({ reference }) => reference)
    const mapping = variants.flatMap(({ reference, values }) =>
      values.map((value) => [value, reference.$ref]),
    )
    schema['discriminator'] = { propertyName, mapping: Object.fromEntries(mapping) }
  }

  return {
    refer,
    /** Gives a schema the name under which it then stands. */
    name: (name: string, schema: JsonSchema): JsonSchema => {
      collected[name] = schema
      return { $ref: `#/components/schemas/${name}` }
    },
    /** By name, in the order of names. */
    collected: (): Record<string, JsonSchema> =>
      Object.fromEntries(Object.entries(collected).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}
export type SchemaCollection = ReturnType<typeof schemaCollection>

/** A schema with two faces, because gaps in it are filled, has two names. */
function nameOf(schema: z.core.$ZodType, direction: Direction): string | undefined {
  const name = names.get(schema)
  if (name === undefined || direction === 'output') return name
  const [input, output] = (['input', 'output'] as const).map((io) =>
    JSON.stringify(z.toJSONSchema(schema, { io })),
  )
  return input === output ? name : `${name}Input`
}

function replace(target: JsonSchema, source: JsonSchema): void {
  for (const key of Object.keys(target)) delete target[key]
  Object.assign(target, source)
}

const INT32_MAX = 2 ** 31 - 1

/**
 * Fields may be added to answers within a version; a format says what its long pattern says; in many
 * languages a whole number has 32 bits unless the document says otherwise.
 */
function tidy(schema: JsonSchema, direction: Direction): void {
  if (direction === 'output' && schema.additionalProperties === false) {
    delete schema.additionalProperties
  }
  if (schema.format !== undefined) delete schema.pattern
  if (schema.type === 'integer' && (schema.maximum ?? 0) > INT32_MAX) schema.format = 'int64'
  if (schema['example'] !== undefined) {
    schema.examples = [schema['example']]
    delete schema['example']
  }
}
