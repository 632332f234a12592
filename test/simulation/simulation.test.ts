import { describe, expect, test } from 'vitest'

import seeds from './seeds.json' with { type: 'json' }
import { simulate } from './simulate.ts'

const SEEDS_IN_CI = 50

describe('the service under faults', () => {
  test.each([...seeds, ...Array.from({ length: SEEDS_IN_CI }, (_, index) => index + 1)])(
    'seed %i keeps every invariant',
    async (seed) => {
      const report = await simulate(seed)
      expect(report.failure, `npm run simulate -- --seed ${seed} --log`).toBeNull()
      expect(report.dials).toBeGreaterThan(0)
    },
  )

  test('the same seed gives the same log', async () => {
    const [once, again] = [await simulate(7), await simulate(7)]
    expect(again.log).toEqual(once.log)
  })
})
