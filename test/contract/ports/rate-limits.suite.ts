import { beforeEach, expect, test } from 'vitest'

import type { RateLimits } from '#shared/ports/rate-limits.ts'

import { NOON } from './sample-records.ts'

export function rateLimitsSuite(open: () => Promise<RateLimits>): void {
  let limits: RateLimits
  beforeEach(async () => {
    limits = await open()
  })

  /** Ten a minute: one every six seconds. */
  const take = (now: number, bucket = 'org_1#calls') =>
    limits.take({ bucket, rate: { perMinute: 10 }, now })
  const takeMany = async (count: number, now: number) =>
    (await Promise.all(Array.from({ length: count }, () => take(now)))).filter(({ taken }) => taken)
      .length

  test('a full bucket gives 10, half a minute later 5 more, after a rest 10 again', async () => {
    expect(await takeMany(25, NOON)).toBe(10)
    expect(await takeMany(25, NOON + 30_000)).toBe(5)
    expect(await takeMany(25, NOON + 600_000)).toBe(10)
  })

  test('tells up to when the bucket is used, also when it is empty', async () => {
    expect(await take(NOON)).toEqual({ taken: true, usedUpTo: NOON + 6_000 })
    expect(await take(NOON + 1_000)).toEqual({ taken: true, usedUpTo: NOON + 12_000 })
    await takeMany(8, NOON + 1_000)
    expect(await take(NOON + 5_999)).toEqual({ taken: false, usedUpTo: NOON + 60_000 })
    expect(await take(NOON + 6_000)).toEqual({ taken: true, usedUpTo: NOON + 66_000 })
  })

  test('a token that was waited for is there', async () => {
    await takeMany(10, NOON)
    expect((await take(NOON + 5_999)).taken).toBe(false)
    expect((await take(NOON + 6_000)).taken).toBe(true)
    expect((await take(NOON + 6_000)).taken).toBe(false)
  })

  test('buckets do not share', async () => {
    await takeMany(10, NOON)
    expect((await take(NOON, 'org_2#calls')).taken).toBe(true)
  })
}
