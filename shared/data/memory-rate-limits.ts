import { takeFrom } from '#shared/domain/rate-limit.ts'
import type { RateLimits } from '#shared/ports/rate-limits.ts'

/** Token buckets in memory. */
export function memoryRateLimits(): RateLimits {
  const usedUpTo = new Map<string, number>()
  return {
    take: async ({ bucket, rate, now }) => {
      const look = takeFrom(usedUpTo.get(bucket) ?? null, rate, now)
      usedUpTo.set(bucket, look.usedUpTo)
      return look
    },
  }
}
