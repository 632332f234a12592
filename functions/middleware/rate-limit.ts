import {
  type BucketLook,
  bucketState,
  DEFAULT_REQUESTS_PER_MINUTE,
  type Rate,
  type RateClass,
} from '#shared/domain/rate-limit.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { type Answer, refused, withHeaders } from './answer.ts'

export type RateLimitPorts = Pick<ServicePorts, 'rateLimits' | 'clock' | 'limits'>

/** Counts a request against a rate of its organization, and does its work if there is room. */
export type RateLimit = (
  ports: RateLimitPorts,
  request: { readonly organizationId: string; readonly rateClass: RateClass },
  work: () => Promise<Answer<unknown>>,
) => Promise<Answer<unknown>>

/**
 * What this process knows of a bucket: of requests side by side, counts are told in any order, so
 * only the count of a request that was alone says that there is more again.
 */
interface KnownBucket {
  left: number
  begun: number
  open: number
}

/**
 * The layer that keeps organizations to their rates (decisions 1). Every request is counted before
 * it is answered. While more than half of the tokens are left, as far as this process knows, counting
 * and work go on side by side, so that the count costs no time; should other processes have used up
 * the other half, each process lets one request too many through.
 */
export function rateLimit(): RateLimit {
  const buckets = new Map<string, KnownBucket>()
  return async (ports, { organizationId, rateClass }, work) => {
    const { requestsPerMinute = DEFAULT_REQUESTS_PER_MINUTE } = ports.limits
    const rate = { perMinute: requestsPerMinute[rateClass] }
    const bucket = `${organizationId}#${rateClass}`
    const now = ports.clock.now()
    const known = buckets.get(bucket) ?? { left: 0, begun: 0, open: 0 }
    buckets.set(bucket, known)
    const isFarFromEmpty = known.left > rate.perMinute / 2
    known.left -= 1
    known.begun += 1
    const begun = known.open === 0 ? known.begun : null
    known.open += 1
    const [look, early] = await Promise.all([
      ports.rateLimits.take({ bucket, rate, now }).finally(() => void (known.open -= 1)),
      isFarFromEmpty ? work() : null,
    ])
    const { remaining, nextInMs } = bucketState(look, rate, now)
    known.left = begun === known.begun ? remaining : Math.min(known.left, remaining)
    const answer =
      early ?? (look.taken ? await work() : tooMany(rateClass, rate, seconds(nextInMs)))
    return withHeaders(answer, rateHeaders(rateClass, rate, look, now))
  }
}

function tooMany(rateClass: RateClass, { perMinute }: Rate, retryAfter: number): Answer<never> {
  const what = rateClass === 'default' ? 'requests' : `requests that create ${rateClass}`
  return refused('rate_limited', `Your organization may make ${perMinute} ${what} a minute`, {
    headers: { 'retry-after': String(Math.max(1, retryAfter)) },
  })
}

/** draft-ietf-httpapi-ratelimit-headers: the quota and its window, what is left, when it is full. */
function rateHeaders(rateClass: RateClass, rate: Rate, look: BucketLook, now: number) {
  const { remaining, fullInMs } = bucketState(look, rate, now)
  return {
    'ratelimit-policy': `"${rateClass}";q=${rate.perMinute};w=60`,
    ratelimit: `"${rateClass}";r=${remaining};t=${seconds(fullInMs)}`,
  }
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000)
}
