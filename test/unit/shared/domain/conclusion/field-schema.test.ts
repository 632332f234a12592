import { expect, it } from 'vitest'

import type { StructuredOutputField } from '#shared/domain/assistant.ts'
import {
  describeFields,
  structuredOutputSchema,
  toolParametersSchema,
} from '#shared/domain/conclusion/field-schema.ts'

const FIELDS: readonly StructuredOutputField[] = [
  { name: 'a', type: 'string', required: true },
  { name: 'b', type: 'number', required: false, description: 'how\nmany' },
  { name: 'c', type: 'boolean', required: true },
  { name: 'd', type: 'enum', required: false, enumOptions: ['x', 'y'] },
  { name: 'e', type: 'date', required: false },
  { name: 'f', type: 'datetime', required: true },
]

it('lets a tool call leave optional fields out', () => {
  expect(toolParametersSchema(FIELDS)).toEqual({
    type: 'object',
    properties: {
      a: { type: 'string' },
      b: { type: 'number', description: 'how\nmany' },
      c: { type: 'boolean' },
      d: { type: 'string', enum: ['x', 'y'] },
      e: { type: 'string', format: 'date' },
      f: { type: 'string', format: 'date-time' },
    },
    required: ['a', 'c', 'f'],
    additionalProperties: false,
  })
})

it('wants every field from an extraction, optional ones as null', () => {
  expect(structuredOutputSchema(FIELDS)).toEqual({
    type: 'object',
    properties: {
      a: { type: 'string' },
      b: { type: ['number', 'null'], description: 'how\nmany' },
      c: { type: 'boolean' },
      d: { type: ['string', 'null'], enum: ['x', 'y', null] },
      e: { type: ['string', 'null'], format: 'date' },
      f: { type: 'string', format: 'date-time' },
    },
    required: ['a', 'b', 'c', 'd', 'e', 'f'],
    additionalProperties: false,
  })
})

it('accepts an empty tool', () => {
  expect(toolParametersSchema([])).toEqual({
    type: 'object',
    properties: {},
    required: [],
    additionalProperties: false,
  })
})

it('describes each field on one line', () => {
  expect(describeFields(FIELDS)).toBe(
    [
      '- a (string)',
      '- b (number): how many',
      '- c (boolean)',
      '- d (enum: x | y)',
      '- e (date)',
      '- f (datetime)',
    ].join('\n'),
  )
})
