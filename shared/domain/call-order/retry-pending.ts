import { resolutionBy } from '../retry/plan-next-attempt.ts'
import type { CallOrder, CallOrderStatus } from './order.ts'

/** While an order waits, is held back, or is only not concluded yet. */
const BETWEEN_ATTEMPTS: ReadonlySet<CallOrderStatus> = new Set([
  'post_processing',
  'scheduled',
  'queued_for_calling',
  'paused',
])

/**
 * When the recipient of an order was last called, if another attempt would follow (epoch ms); null
 * where none would. A call from them in between answers it (spec 3.1).
 */
export function retryPendingSince(order: CallOrder): number | null {
  const { direction, status, lastAttempt: last, attemptsMade, retryConfig: config } = order
  const isBetween = direction === 'outbound' && BETWEEN_ATTEMPTS.has(status)
  if (!isBetween || last === null || last.number !== attemptsMade) return null
  return resolutionBy({ config, last, attemptsMade }) === null ? last.endedAt : null
}
