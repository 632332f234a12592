import * as z from 'zod'

import { recordId } from './scalars.ts'

/** What many operations share. */

export const noParams = z.strictObject({})
export const idParam = z.strictObject({ id: recordId })
export const success = z.strictObject({ success: z.boolean() })
