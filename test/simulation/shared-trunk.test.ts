import { describe, expect, it } from 'vitest'

import { SharedTrunk, type Trunk } from './shared-trunk.ts'

const SMALL = 50
const BIG = 50_000
/** The big one has called for a while when the small one comes. */
const HEAD_START_MS = 120_000

async function alone(trunk: Trunk): Promise<number> {
  const stage = new SharedTrunk(trunk)
  await stage.startCampaign('small', SMALL)
  return stage.untilEnded('small', SMALL)
}

describe.each<[string, Trunk]>([
  ['few calls at once', { maxConcurrentCalls: 10, callsPerSecond: 10 }],
  ['few calls per second', { maxConcurrentCalls: 1_000, callsPerSecond: 2 }],
])('two organizations on a trunk of %s, with 50,000 rows and with 50', (_, trunk) => {
  it('let the small one end within twice the time that it needs alone', async () => {
    const stage = new SharedTrunk(trunk)
    await stage.startCampaign('big', BIG)
    await stage.world.run(stage.world.now + HEAD_START_MS)
    const before = stage.ended('big')
    expect(before).toBeGreaterThan(0)
    await stage.startCampaign('small', SMALL)
    const shared = await stage.untilEnded('small', SMALL)
    expect(shared).toBeLessThanOrEqual(2 * (await alone(trunk)))
    expect(stage.ended('small')).toBe(SMALL)
    expect(stage.mostAtOnce).toBeLessThanOrEqual(trunk.maxConcurrentCalls)
    // The trunk is not left idle, and the big one goes on when the small one is done.
    await stage.untilEnded('big', before + 2 * SMALL)
  })
})
