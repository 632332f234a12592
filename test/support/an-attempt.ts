import type { CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import { newCallAttempt } from '#shared/domain/call-attempt/decide.ts'

import { NOON } from './an-order.ts'

/** An attempt that was admitted at `NOON`, with changes. */
export function anAttempt(changes: Partial<CallAttempt> = {}): CallAttempt {
  const attempt = newCallAttempt(
    {
      id: 'att_1',
      orderId: 'call_1',
      organizationId: 'org_1',
      number: 1,
      phoneNumber: '+12025550100',
      fromPhoneNumber: '+12025550199',
      permits: [{ scope: 'ORG#org_1', shard: 0 }],
      leaseUntil: NOON + 30_000,
    },
    NOON,
  )
  return { ...attempt, ...changes }
}
