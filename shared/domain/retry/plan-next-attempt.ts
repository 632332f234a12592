/** When the next attempt of an order may start, or why none follows (spec 2.6, decisions 2). */

import type { DialError } from '../call-attempt/attempt.ts'
import type { AttemptSummary } from '../call-order/order.ts'
import { LAST_MOMENT } from '../time.ts'
import type { CallRetryConfig } from './call-retry-config.ts'
import { HORIZON_MS, nextOpening, windowAt } from './calling-windows.ts'

/**
 * The moment (epoch ms) of the first attempt: `notBefore`, or the first opening after it.
 * `forceNow` ignores windows and allowed days (decisions 2).
 */
export function planFirstAttempt(input: {
  readonly config: CallRetryConfig
  readonly zones: readonly string[]
  readonly notBefore: number
  readonly forceNow: boolean
}): number {
  return input.forceNow ? input.notBefore : openingFrom(input.config, input.zones, input.notBefore)
}

export type NextAttempt =
  | { readonly kind: 'retry'; readonly dueAt: number }
  | {
      readonly kind: 'resolved'
      readonly reason: 'reached' | 'attempts_spent' | 'not_retryable'
      readonly status: 'completed' | 'errored'
    }

/** Dialling the same number again cannot change these. */
const PERMANENT_DIAL_ERRORS: ReadonlySet<DialError | null> = new Set<DialError>([
  'number_non_attributed',
  'no_international_permission',
  'precondition_failed',
])

/**
 * What follows an attempt. `errored` is for a call that could not be placed at all: a permanent dial
 * error on every attempt made. A permanent error is never retried, so that is exactly a permanent
 * error of the first attempt; after an earlier attempt that merely reached nobody the order is
 * `completed`. With a fraction as `maxRetryAttempts` only whole attempts count, the first always.
 */
export function planNextAttempt(input: {
  readonly config: CallRetryConfig
  readonly zones: readonly string[]
  readonly last: AttemptSummary
  readonly attemptsMade: number
  readonly now: number
}): NextAttempt {
  const { config, zones, last, attemptsMade, now } = input
  const resolution = resolutionBy(input)
  if (resolution !== null) return resolution
  const isImmediate = config.callTwiceInARow && attemptsMade === 1
  const earliest = last.endedAt + (isImmediate ? 0 : retryDelayMs(config, zones, last.startedAt))
  return { kind: 'retry', dueAt: openingFrom(config, zones, Math.max(earliest, now)) }
}

/** How an order is resolved by its last attempt; null: another one follows. */
export function resolutionBy(input: {
  readonly config: Pick<CallRetryConfig, 'maxRetryAttempts'>
  readonly last: AttemptSummary
  readonly attemptsMade: number
}): Extract<NextAttempt, { readonly kind: 'resolved' }> | null {
  const { config, last, attemptsMade } = input
  if (last.result === 'human') return { kind: 'resolved', reason: 'reached', status: 'completed' }
  if (last.result === null && PERMANENT_DIAL_ERRORS.has(last.dialError)) {
    const status = attemptsMade <= 1 ? 'errored' : 'completed'
    return { kind: 'resolved', reason: 'not_retryable', status }
  }
  return attemptsMade + 1 > config.maxRetryAttempts
    ? { kind: 'resolved', reason: 'attempts_spent', status: 'completed' }
    : null
}

/** The delay of the window in which the attempt started; of the first one when it was forced. */
function retryDelayMs(
  config: CallRetryConfig,
  zones: readonly string[],
  startedAt: number,
): number {
  const window = windowAt(config, zones[0] ?? 'UTC', startedAt) ?? config.callingWindows[0]
  return Math.ceil((window?.retryDelaySeconds ?? 0) * 1000)
}

/** A config that opens at no moment of a year is looked at again a year later; it is never broken. */
function openingFrom(config: CallRetryConfig, zones: readonly string[], from: number): number {
  const latest = LAST_MOMENT - HORIZON_MS
  if (from > latest) return LAST_MOMENT
  return nextOpening(config, zones, from) ?? from + HORIZON_MS
}
