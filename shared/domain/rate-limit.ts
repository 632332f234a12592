/** Rates of requests, as the generic cell rate algorithm counts them: one number per bucket. */

/** A token bucket that holds `perMinute` tokens and is filled as many times a minute. */
export interface Rate {
  readonly perMinute: number
}

/** Each kind of request has a bucket of its own (decisions 1). */
export type RateClass = 'default' | 'calls' | 'campaigns'

/** What an organization may ask for in a minute, where a deployment says nothing else. */
export const DEFAULT_REQUESTS_PER_MINUTE: Readonly<Record<RateClass, number>> = {
  default: 1_000,
  calls: 500,
  campaigns: 10,
}

/**
 * A bucket after one request: `usedUpTo` is the moment (epoch ms) up to which what was taken would
 * have lasted at an even pace; one that lies behind means a full bucket.
 */
export interface BucketLook {
  readonly taken: boolean
  readonly usedUpTo: number
}

/** From one request to the next at an even pace, in ms. */
export function intervalMs(rate: Rate): number {
  return Math.ceil(60_000 / rate.perMinute)
}

/** How far ahead of the even pace a bucket may be used up before a request, in ms. */
export function headStartMs(rate: Rate): number {
  return intervalMs(rate) * (rate.perMinute - 1)
}

/** What a bucket is after one more request. */
export function takeFrom(usedUpTo: number | null, rate: Rate, now: number): BucketLook {
  const from = Math.max(usedUpTo ?? now, now)
  return from > now + headStartMs(rate)
    ? { taken: false, usedUpTo: from }
    : { taken: true, usedUpTo: from + intervalMs(rate) }
}

/** What is left, when it is full again and when the next request is taken. */
export function bucketState(
  { usedUpTo }: BucketLook,
  rate: Rate,
  now: number,
): { readonly remaining: number; readonly fullInMs: number; readonly nextInMs: number } {
  const ahead = now + headStartMs(rate) - usedUpTo
  return {
    remaining: Math.max(0, Math.floor(ahead / intervalMs(rate)) + 1),
    fullInMs: Math.max(0, usedUpTo - now),
    nextInMs: Math.max(0, -ahead),
  }
}
