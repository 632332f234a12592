import { describe, expect, test } from 'vitest'

import kept from './seeds.json' with { type: 'json' }
import { simulate, type SimulatedCase } from './simulate.ts'

const SEEDS_IN_CI = 300

const cases: readonly SimulatedCase[] = [
  // What each of these once showed stands beside it; `without` names faults.
  ...(kept as readonly SimulatedCase[]),
  ...Array.from({ length: SEEDS_IN_CI }, (_, index) => ({ seed: index + 1 })),
]

describe('the service under faults', () => {
  test.each(cases)('case %j keeps every invariant', async (simulated) => {
    const { failure } = await simulate(simulated)
    expect(failure, `npm run simulate -- --log --case '${JSON.stringify(simulated)}'`).toBeNull()
  })

  test('the same seed gives the same log', async () => {
    const logOf = async () => (await simulate({ seed: 7 }, { keepsLog: true })).log
    const log = await logOf()
    expect(log.length).toBeGreaterThan(50)
    expect(await logOf()).toEqual(log)
  })
})
