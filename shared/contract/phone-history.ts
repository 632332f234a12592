/** GET /calls/phone-history: spec 4.4 and decisions 2. */

import * as z from 'zod'

import { OUTCOMES } from '#shared/domain/assistant.ts'
import { CALL_ORDER_STATUSES } from '#shared/domain/call-order/order.ts'

import { callCursor } from './call-cursor.ts'
import { nextCursor, pageQuery } from './page.ts'
import { timestampOut } from './scalars.ts'

export const phoneHistoryQuery = pageQuery.extend({ cursor: callCursor })

export const phoneHistoryAnswer = z.strictObject({
  /** One entry per number, the one that was called or called last first. */
  phone_history: z.array(
    z.strictObject({
      phone_number: z.string(),
      /** Call orders, in both directions. */
      calls_count: z.int(),
      /** Those in which a person was reached. */
      answered_count: z.int(),
      inbound_count: z.int(),
      last_call_id: z.string(),
      /** When the last call order was made. */
      last_call_at: timestampOut,
      last_status: z.enum(CALL_ORDER_STATUSES),
      last_outcome: z.enum(OUTCOMES).nullable(),
      /** Whether the number must not be called. */
      suppressed: z.boolean(),
    }),
  ),
  next_cursor: nextCursor,
})
