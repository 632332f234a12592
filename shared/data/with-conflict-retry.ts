import {
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb'

/** Chance and waiting, so that a test needs neither. `random` is uniform in [0, 1). */
export interface RetryMeans {
  readonly random: () => number
  readonly sleep: (ms: number) => Promise<void>
}

const TRIES_MAX = 8
const FIRST_DELAY_MS = 20
const DELAY_MAX_MS = 1_000

/** Reasons for which DynamoDB cancels a transaction that may well succeed a moment later. */
const PASSING_REASONS: ReadonlySet<string | undefined> = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
])

/**
 * Repeats a write that met another transaction on the same item, which the SDK itself does not do.
 * Full jitter: the n-th wait is uniform between 0 and min(1 s, 20 ms * 2^n). A condition that
 * failed is an answer and never repeated. After eight tries the last error is thrown.
 */
export async function withConflictRetry<T>(write: () => Promise<T>, means: RetryMeans): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write()
    } catch (error) {
      if (tries === TRIES_MAX || !isPassing(error)) throw error
    }
    await means.sleep(means.random() * Math.min(DELAY_MAX_MS, FIRST_DELAY_MS * 2 ** (tries - 1)))
  }
}

/** Whether a transaction was cancelled because one of its conditions did not hold. */
export function isLostCondition(error: unknown): boolean {
  return (
    error instanceof TransactionCanceledException &&
    reasonsOf(error).includes('ConditionalCheckFailed')
  )
}

/** Whether the same write may succeed a moment later. */
export function isPassing(error: unknown): boolean {
  if (error instanceof TransactionConflictException) return true
  if (!(error instanceof TransactionCanceledException) || isLostCondition(error)) return false
  return reasonsOf(error).some((reason) => PASSING_REASONS.has(reason))
}

function reasonsOf(error: TransactionCanceledException): (string | undefined)[] {
  return (error.CancellationReasons ?? []).map(({ Code }) => Code)
}
