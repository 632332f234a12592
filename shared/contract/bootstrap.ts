import * as z from 'zod'

import { phoneNumber } from './scalars.ts'

/** What the bootstrap function is invoked with. */
export const bootstrapRequest = z.strictObject({
  organization_name: z.string().min(1).max(200),
  email: z.email(),
  first_name: z.string().default(''),
  last_name: z.string().default(''),
  default_from_phone_number: phoneNumber,
  max_concurrent_calls: z.int().min(1).default(1_000),
  mode: z.enum(['live', 'test']).default('live'),
})
