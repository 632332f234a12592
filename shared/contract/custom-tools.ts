import * as z from 'zod'

import { HTTP_METHODS } from '#shared/domain/assistant.ts'

import { structuredOutputFieldSchema } from './structured-output-field.ts'

const pairs = z.array(z.strictObject({ key: z.string().min(1), value: z.string() }))

/** Spec 2.4. What a tool does not need may be left out. */
export const customToolSchema = z.strictObject({
  name: z
    .string()
    .min(1)
    .regex(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/, 'Expected lowercase_snake_case'),
  description: z.string().min(1),
  method: z.enum(HTTP_METHODS),
  url: z.string().min(1),
  headers: pairs.default([]),
  query_params: pairs.default([]),
  body_template: z.string().nullable().default(null),
  input_schema: z.array(structuredOutputFieldSchema).default([]),
})

/** An assistant's tools; the model tells them apart by name. */
export const customToolsSchema = z.array(customToolSchema).superRefine((tools, context) => {
  const names = new Set<string>()
  for (const [index, { name }] of tools.entries()) {
    if (names.has(name)) {
      context.addIssue({
        code: 'custom',
        path: [index, 'name'],
        message: 'Another tool has this name',
        params: { code: 'duplicate' },
      })
    }
    names.add(name)
  }
})
