import * as z from 'zod'

import { STRUCTURED_OUTPUT_TYPES } from '#shared/domain/assistant.ts'

/** Spec 2.5 as the reduced shape has it: the name may be empty. */
export const reducedStructuredOutputFieldSchema = z.strictObject({
  name: z.string(),
  required: z.boolean(),
  type: z.enum(STRUCTURED_OUTPUT_TYPES),
  description: z.string().optional(),
  enum_options: z.array(z.string()).optional(),
})

/** Spec 2.5; also a parameter of a custom tool (spec 2.4). */
export const structuredOutputFieldSchema = reducedStructuredOutputFieldSchema.extend({
  name: z.string().min(1),
})
