import { describe, expect, it } from 'vitest'

import { startTicker } from '#voice/media-worker/ticker.ts'

import { ManualTime } from '../session/manual-time.ts'

function counting(time: ManualTime) {
  const beats: number[] = []
  return { beats, run: () => void beats.push(time.now()) }
}

describe('the ticker', () => {
  it('beats every 20 ms for each member', async () => {
    const time = new ManualTime()
    const { beats, run } = counting(time)
    startTicker({ clock: time, timers: time }).join(run)
    await time.pass(100)
    expect(beats).toEqual([5, 25, 45, 65, 85])
  })

  it('spreads its members over slots of 5 ms', async () => {
    const time = new ManualTime()
    const ticker = startTicker({ clock: time, timers: time })
    const members = Array.from({ length: 5 }, () => counting(time))
    for (const { run } of members) ticker.join(run)
    await time.pass(20)
    expect(members.map(({ beats }) => beats)).toEqual([[5], [10], [15], [20], [5]])
  })

  it('waits for nothing when it has no members', async () => {
    const time = new ManualTime()
    const ticker = startTicker({ clock: time, timers: time })
    expect(time.waiting).toBe(0)
    const { beats, run } = counting(time)
    const leave = ticker.join(run)
    await time.pass(40)
    leave()
    await time.pass(10)
    expect(time.waiting).toBe(0)
    expect(beats).toHaveLength(2)
    ticker.join(run)
    await time.pass(30)
    expect(beats.length).toBeGreaterThan(2)
  })

  it('makes up for a late beat, one round at most', async () => {
    const time = new ManualTime()
    let now = 0
    const beats: number[] = []
    startTicker({ clock: { now: () => now }, timers: time }).join(() => beats.push(now))
    now = 1_000
    await time.pass(5)
    expect(beats).toEqual([1_000])
  })

  it('makes up for more where it is asked to, not all at once', async () => {
    const time = new ManualTime()
    let now = 0
    const beats: number[] = []
    const clock = { now: () => now }
    startTicker({ clock, timers: time, makesUpMs: 500 }).join(() => beats.push(now))
    now = 1_000
    await time.pass(5)
    expect(beats).toHaveLength(10)
    await time.pass(50)
    expect(beats).toHaveLength(25)
  })
})
