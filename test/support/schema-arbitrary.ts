import * as fc from 'fast-check'

import type { JsonSchema } from '#shared/contract/openapi-schemas.ts'
import type { OpenApiDocument } from '#shared/contract/openapi.ts'

/** Values of the formats that the contract uses. */
const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  e164: fc.constantFrom('+12025550100', '+442079460123', '+4930123456'),
  uri: fc.constantFrom('https://example.com/x', 'https://example.com/{{name}}?y=1'),
  'date-time': fc.constantFrom('2026-01-31T09:00:00Z', '2026-02-01T00:00:00+02:00'),
  email: fc.constantFrom('ada@example.com', 'b.c+d@example.org'),
}

export interface SchemaContext {
  readonly document: Pick<OpenApiDocument, 'components'>
  /** Values of the fields with these names, wherever they stand. */
  readonly fields?: Readonly<Record<string, fc.Arbitrary<unknown>>>
}

/** Values that a schema of the OpenAPI document describes. Rules that no schema can say may refuse them. */
export function schemaArbitrary(schema: JsonSchema, context: SchemaContext): fc.Arbitrary<unknown> {
  const of = (part: unknown) =>
    typeof part === 'object' && part !== null
      ? schemaArbitrary(part as JsonSchema, context)
      : fc.jsonValue()
  if (schema.$ref !== undefined) {
    return of(context.document.components.schemas[schema.$ref.split('/').at(-1) ?? ''])
  }
  const variants = schema.anyOf ?? schema.oneOf
  if (variants !== undefined) return fc.oneof(...variants.map(of))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type) => of({ ...schema, type })))
  }
  switch (schema.type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 99, 2 ** 31) })
    case 'number':
      return fc.double({ ...boundsOf(schema), noNaN: true })
    case 'string':
      return textArbitrary(schema)
    case 'array':
      return fc.array(of(schema.items), { minLength: schema.minItems ?? 0, maxLength: 3 })
    case 'object':
      return objectArbitrary(schema, of, context.fields ?? {})
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function boundsOf({ minimum = -1e6, maximum = 1e6 }: JsonSchema) {
  return { min: minimum, max: maximum }
}

function textArbitrary(schema: JsonSchema): fc.Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength = 40 } = schema
  const ofFormat = format === undefined ? undefined : FORMATS[format]
  if (ofFormat !== undefined) return ofFormat
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 40) })
}

function objectArbitrary(
  schema: JsonSchema,
  of: (part: unknown) => fc.Arbitrary<unknown>,
  fields: NonNullable<SchemaContext['fields']>,
): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema
  const named = Object.entries(properties).map(
    ([name, part]) => [name, fields[name] ?? of(part)] as const,
  )
  const record = fc.record(Object.fromEntries(named), { requiredKeys: [...required] })
  const isMap = typeof additionalProperties === 'object' && named.length === 0
  return isMap ? fc.dictionary(fc.string(), of(additionalProperties), { maxKeys: 4 }) : record
}
