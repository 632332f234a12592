import type { StructuredOutputField } from '../assistant.ts'
import type { JsonSchema } from '../chat.ts'

/** What a model must give to call a custom tool (spec 2.4): optional fields may be left out. */
export function toolParametersSchema(fields: readonly StructuredOutputField[]): JsonSchema {
  return objectSchema(
    fields.map((field) => [field.name, fieldSchema(field)]),
    fields.filter((field) => field.required).map((field) => field.name),
  )
}

/**
 * What a model must give when it extracts (spec 2.5): every field, optional ones nullable, as
 * strict JSON Schema modes demand.
 */
export function structuredOutputSchema(fields: readonly StructuredOutputField[]): JsonSchema {
  return objectSchema(
    fields.map((field) => [field.name, field.required ? fieldSchema(field) : nullable(field)]),
    fields.map((field) => field.name),
  )
}

/** The fields for a prompt, one per line: `- name (type): description`. */
export function describeFields(fields: readonly StructuredOutputField[]): string {
  return fields
    .map((field) => {
      const type = field.type === 'enum' ? `enum: ${options(field).join(' | ')}` : field.type
      const description = field.description ? `: ${field.description.replace(/\s+/g, ' ')}` : ''
      return `- ${field.name} (${type})${description}`
    })
    .join('\n')
}

export function objectSchema(
  properties: readonly (readonly [string, JsonSchema])[],
  required: readonly string[],
): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: false,
  }
}

function fieldSchema(field: StructuredOutputField): JsonSchema & { readonly type: string } {
  const description = field.description ? { description: field.description } : {}
  switch (field.type) {
    case 'string':
    case 'number':
    case 'boolean':
      return { type: field.type, ...description }
    case 'enum':
      return { type: 'string', enum: options(field), ...description }
    case 'date':
      return { type: 'string', format: 'date', ...description }
    case 'datetime':
      return { type: 'string', format: 'date-time', ...description }
  }
}

function nullable(field: StructuredOutputField): JsonSchema {
  const schema = fieldSchema(field)
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(field.type === 'enum' && { enum: [...options(field), null] }),
  }
}

function options(field: StructuredOutputField): readonly string[] {
  return field.enumOptions ?? []
}
