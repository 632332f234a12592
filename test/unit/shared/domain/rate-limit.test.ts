import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { bucketState, intervalMs, takeFrom } from '#shared/domain/rate-limit.ts'

const rates = fc.record({ perMinute: fc.integer({ min: 1, max: 2_000 }) })

describe('a bucket', () => {
  test('gives what is left of it at once, and no more', () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 0, max: 1e12 }), (rate, now) => {
        let usedUpTo: number | null = null
        let given = 0
        for (;;) {
          const look = takeFrom(usedUpTo, rate, now)
          if (!look.taken) break
          given += 1
          usedUpTo = look.usedUpTo
          expect(bucketState(look, rate, now).remaining).toBe(rate.perMinute - given)
        }
        expect(given).toBe(rate.perMinute)
      }),
      { numRuns: 50 },
    )
  })

  test('never gives more than a bucketful and what a rate brings in the time', () => {
    const waits = fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 300 })
    fc.assert(
      fc.property(rates, waits, (rate, gaps) => {
        let usedUpTo: number | null = null
        let given = 0
        let now = 0
        for (const gap of gaps) {
          now += gap
          const look = takeFrom(usedUpTo, rate, now)
          usedUpTo = look.usedUpTo
          given += look.taken ? 1 : 0
        }
        expect(given).toBeLessThanOrEqual(rate.perMinute + Math.floor(now / intervalMs(rate)))
      }),
    )
  })

  test('has a token at the moment that it names, and none before', () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 0, max: 100_000 }), (rate, later) => {
        const empty = { taken: false, usedUpTo: intervalMs(rate) * rate.perMinute + later }
        const { nextInMs } = bucketState(empty, rate, 0)
        if (nextInMs > 0) {
          expect(takeFrom(empty.usedUpTo, rate, nextInMs - 1).taken).toBe(false)
        }
        expect(takeFrom(empty.usedUpTo, rate, nextInMs).taken).toBe(true)
      }),
    )
  })
})
