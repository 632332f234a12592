import { beforeEach, expect, test } from 'vitest'

import type { Pacing } from '#shared/ports/pacing.ts'

import { NOON } from './sample-records.ts'

export function pacingSuite(open: () => Promise<Pacing>): void {
  let pacing: Pacing
  beforeEach(async () => {
    pacing = await open()
  })

  const take = (now: number, pace: { perSecond?: number; burst?: number; trunk?: string } = {}) =>
    pacing.take({ trunk: 'trunk', perSecond: 10, burst: 10, now, ...pace })

  const takeMany = async (count: number, now: number) =>
    (await Promise.all(Array.from({ length: count }, () => take(now)))).filter(
      ({ kind }) => kind === 'taken',
    ).length

  test('a burst of 10 gives 10, three intervals later 3, after a long rest 10 again', async () => {
    expect(await takeMany(30, NOON)).toBe(10)
    expect(await takeMany(30, NOON + 300)).toBe(3)
    expect(await takeMany(30, NOON + 60_000)).toBe(10)
  })

  test('who has to wait is told until when, and gets it then', async () => {
    await takeMany(10, NOON)
    expect(await take(NOON + 40)).toEqual({ kind: 'wait', until: NOON + 100 })
    expect(await take(NOON + 99)).toEqual({ kind: 'wait', until: NOON + 100 })
    expect(await take(NOON + 100)).toEqual({ kind: 'taken' })
    expect(await take(NOON + 100)).toEqual({ kind: 'wait', until: NOON + 200 })
  })

  test.each([
    { perSecond: 1, burst: 1, until: 1000 },
    { perSecond: 0.5, burst: 1, until: 2000 },
    { perSecond: 3, burst: 1, until: 334 },
  ])('$perSecond per second without a burst', async ({ until, ...pace }) => {
    expect(await take(NOON, pace)).toEqual({ kind: 'taken' })
    expect(await take(NOON, pace)).toEqual({ kind: 'wait', until: NOON + until })
    expect(await take(NOON + until - 1, pace)).toEqual({ kind: 'wait', until: NOON + until })
    expect(await take(NOON + until, pace)).toEqual({ kind: 'taken' })
  })

  test('trunks do not share', async () => {
    await takeMany(10, NOON)
    expect(await take(NOON, { trunk: 'other' })).toEqual({ kind: 'taken' })
  })
}
