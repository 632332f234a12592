import { beforeEach, expect, test } from 'vitest'

import type { Pacing } from '#shared/ports/pacing.ts'

import { NOON } from './sample-records.ts'

export function pacingSuite(open: () => Promise<Pacing>): void {
  let pacing: Pacing
  beforeEach(async () => {
    pacing = await open()
  })

  const PACE = { trunk: 'trunk', perSecond: 10, burst: 10 }
  const take = (now: number, count = 1, pace: Partial<typeof PACE> = {}) =>
    pacing.take({ ...PACE, now, count, ...pace })

  const takeMany = async (count: number, now: number) =>
    (await Promise.all(Array.from({ length: count }, () => take(now)))).filter(
      ({ taken }) => taken === 1,
    ).length

  test('a burst of 10 gives 10, three intervals later 3, after a long rest 10 again', async () => {
    expect(await takeMany(30, NOON)).toBe(10)
    expect(await takeMany(30, NOON + 300)).toBe(3)
    expect(await takeMany(30, NOON + 60_000)).toBe(10)
  })

  test('who asks for many gets those that are left', async () => {
    expect(await take(NOON, 4)).toEqual({ taken: 4, until: NOON })
    expect(await take(NOON, 25)).toEqual({ taken: 6, until: NOON + 100 })
    expect(await take(NOON + 250, 25)).toEqual({ taken: 2, until: NOON + 300 })
  })

  test('many who ask for many get no more than there is', async () => {
    const asked = Array.from({ length: 12 }, () => take(NOON, 3))
    const given = (await Promise.all(asked)).map(({ taken }) => taken)
    expect(given.reduce((sum, one) => sum + one, 0)).toBe(10)
  })

  test('who has to wait is told until when, and gets it then', async () => {
    await takeMany(10, NOON)
    expect(await take(NOON + 40)).toEqual({ taken: 0, until: NOON + 100 })
    expect(await take(NOON + 99)).toEqual({ taken: 0, until: NOON + 100 })
    expect(await take(NOON + 100)).toEqual({ taken: 1, until: NOON + 200 })
    expect(await take(NOON + 100)).toEqual({ taken: 0, until: NOON + 200 })
  })

  test('what was not used can be taken again', async () => {
    await take(NOON, 10)
    await pacing.giveBack({ ...PACE, count: 3 })
    expect((await take(NOON, 10)).taken).toBe(3)
    await pacing.giveBack({ ...PACE, trunk: 'never used', count: 3 })
    expect((await take(NOON, 99, { trunk: 'never used' })).taken).toBe(10)
  })

  test.each([
    { perSecond: 1, burst: 1, until: 1000 },
    { perSecond: 0.5, burst: 1, until: 2000 },
    { perSecond: 3, burst: 1, until: 334 },
  ])('$perSecond per second without a burst', async ({ until, ...pace }) => {
    const waits = { taken: 0, until: NOON + until }
    expect((await take(NOON, 5, pace)).taken).toBe(1)
    expect(await take(NOON, 1, pace)).toEqual(waits)
    expect(await take(NOON + until - 1, 1, pace)).toEqual(waits)
    expect((await take(NOON + until, 1, pace)).taken).toBe(1)
  })

  test('trunks do not share', async () => {
    await takeMany(10, NOON)
    expect((await take(NOON, 1, { trunk: 'other' })).taken).toBe(1)
  })
}
