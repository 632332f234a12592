import * as z from 'zod'

/** The body of each queue's messages; written by ourselves, and still never trusted. */
export const queueMessageSchemas = {
  dispatch: z.union([
    z.strictObject({ scope: z.string().min(1) }),
    z.strictObject({ sweep: z.literal(true) }),
  ]),
  import: z.strictObject({ campaignId: z.string().min(1) }),
  'call-start': z.strictObject({ orderId: z.string().min(1), number: z.int().min(1) }),
  'post-call': z.strictObject({ orderId: z.string().min(1), number: z.int().min(1) }),
  notify: z.strictObject({ orderId: z.string().min(1), event: z.literal('call.completed') }),
  webhook: z.strictObject({ deliveryId: z.string().min(1) }),
} as const
