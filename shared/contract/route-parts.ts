import * as z from 'zod'

/** What many operations share. */

export const noParams = z.strictObject({})
export const idParam = z.strictObject({ id: z.string().min(1).max(64) })
export const success = z.strictObject({ success: z.boolean() })
