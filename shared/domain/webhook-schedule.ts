/** When a webhook is tried again (decisions 4, Standard Webhooks 1.0). */

import { DAY_MS, MINUTE_MS } from './time.ts'
import type { WebhookDelivery } from './webhook-delivery.ts'

const HOUR_MS = 60 * MINUTE_MS

/** Wait before the second, third, ... try, counted from the one before it. */
export const WEBHOOK_DELAYS_MS: readonly number[] = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]

const JITTER_SHARE = 0.1
/** A receiver may ask for patience, but not for ever. */
const RETRY_AFTER_MAX_MS = DAY_MS

export interface WebhookAnswer {
  /** Epoch ms. */
  readonly at: number
  /** Null when no answer came. */
  readonly statusCode: number | null
  readonly retryAfterSecs: number | null
}

/**
 * Records a try and decides what follows: 2xx delivers, 410 disables, everything else is tried again
 * until the tries are spent. `jitter` is 0..1: up to a tenth later, never earlier. A delivery that no
 * longer waits for a try is returned as it is.
 */
export function planWebhookTry(
  delivery: WebhookDelivery,
  answer: WebhookAnswer,
  jitter: number,
): WebhookDelivery {
  if (delivery.status !== 'pending') return delivery
  const { at, statusCode } = answer
  const tries = [...delivery.tries, { at, statusCode }]
  const next = { ...delivery, version: delivery.version + 1, tries }
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) {
    return { ...next, status: 'delivered', dueAt: null }
  }
  if (statusCode === 410) return { ...next, status: 'disabled', dueAt: null }
  const delayMs = WEBHOOK_DELAYS_MS[tries.length - 1]
  if (delayMs === undefined) return { ...next, status: 'failed', dueAt: null }
  const askedMs = Math.min((answer.retryAfterSecs ?? 0) * 1000, RETRY_AFTER_MAX_MS)
  const plannedMs = delayMs * (1 + JITTER_SHARE * jitter)
  return { ...next, dueAt: at + Math.ceil(Math.max(plannedMs, askedMs)) }
}
