import { describe, expect, test } from 'vitest'

import seeds from './seeds.json' with { type: 'json' }
import { simulate } from './simulate.ts'

const SEEDS_IN_CI = 300

describe('the service under faults', () => {
  test.each([...seeds, ...Array.from({ length: SEEDS_IN_CI }, (_, index) => index + 1)])(
    'seed %i keeps every invariant',
    async (seed) => {
      const { failure } = await simulate({ seed })
      expect(failure, `npm run simulate -- --seed ${seed} --log`).toBeNull()
    },
  )

  test('the same seed gives the same log', async () => {
    const logOf = async () => (await simulate({ seed: 7 }, { keepsLog: true })).log
    const log = await logOf()
    expect(log.length).toBeGreaterThan(50)
    expect(await logOf()).toEqual(log)
  })
})
