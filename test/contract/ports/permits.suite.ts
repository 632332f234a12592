import { beforeEach, expect, test } from 'vitest'

import type { HeldPermit } from '#shared/domain/call-attempt/attempt.ts'
import type { Permits } from '#shared/ports/permits.ts'

import { NOON } from './sample-records.ts'

const SCOPE = 'KEY#org_1#schlüssel #1'

export function permitsSuite(open: () => Promise<Permits>): void {
  let permits: Permits
  beforeEach(async () => {
    permits = await open()
  })

  const acquire = (
    holder: string,
    wish: { cap: number; now?: number; until?: number; scope?: string },
  ) => permits.acquire({ scope: SCOPE, holder, now: NOON, until: NOON + 1000, ...wish })

  const acquireMany = async (prefix: string, wish: { count: number; cap: number; now: number }) => {
    const asked = Array.from({ length: wish.count }, (_, index) =>
      acquire(`${prefix}_${index}`, { cap: wish.cap, now: wish.now, until: wish.now + 1000 }),
    )
    return (await Promise.all(asked)).filter((permit) => permit !== null).length
  }

  const contention = { timeout: 120_000 }
  test(
    '400 at once get exactly 120, then exactly 120 again once those are dead',
    contention,
    async () => {
      expect(await acquireMany('first', { count: 400, cap: 120, now: NOON })).toBe(120)
      expect(await permits.count(SCOPE, NOON)).toBe(120)
      expect(await permits.count(SCOPE, NOON + 1000)).toBe(0)
      expect(await acquireMany('second', { count: 400, cap: 120, now: NOON + 1000 })).toBe(120)
      expect(await permits.count(SCOPE, NOON + 1000)).toBe(120)
    },
  )

  test.each([
    { cap: 0, granted: 0 },
    { cap: 1, granted: 1 },
    { cap: 50, granted: 50 },
    { cap: 51, granted: 51 },
    { cap: Number.MAX_SAFE_INTEGER, granted: 60 },
  ])('60 that ask for a cap of $cap get $granted', async ({ cap, granted }) => {
    expect(await acquireMany('att', { count: 60, cap, now: NOON })).toBe(granted)
  })

  test('a lease holds before its end, not at it', async () => {
    expect(await acquire('att_1', { cap: 1, until: NOON + 10 })).not.toBeNull()
    expect(await acquire('att_2', { cap: 1, now: NOON + 9 })).toBeNull()
    expect(await acquire('att_2', { cap: 1, now: NOON + 10 })).not.toBeNull()
  })

  test('asking again gives the same permit, also when another place is free by then', async () => {
    const held = new Map<string, HeldPermit>()
    for (let index = 0; index < 120; index += 1) {
      const permit = await acquire(`att_${index}`, { cap: 120 })
      if (permit !== null) held.set(`att_${index}`, permit)
    }
    for (const holder of ['att_0', 'att_1', 'att_2']) {
      await permits.release(held.get(holder) as HeldPermit, holder)
      held.delete(holder)
    }
    for (const [holder, permit] of [...held].slice(-30)) {
      expect(await acquire(holder, { cap: 120 })).toEqual(permit)
    }
    expect(await permits.count(SCOPE, NOON)).toBe(117)
  })

  test('a released permit can be taken; releasing again takes nothing from its new holder', async () => {
    const permit = (await acquire('att_1', { cap: 1 })) as HeldPermit
    await permits.release(permit, 'att_2')
    expect(await acquire('att_2', { cap: 1 })).toBeNull()
    await permits.release(permit, 'att_1')
    expect(await acquire('att_2', { cap: 1 })).not.toBeNull()
    await permits.release(permit, 'att_1')
    expect(await acquire('att_3', { cap: 1 })).toBeNull()
    await permits.release({ scope: 'ORG#never used', shard: 0 }, 'att_1')
  })

  test('extending prolongs a lease that is still held, and creates none', async () => {
    const permit = (await acquire('att_1', { cap: 1, until: NOON + 10 })) as HeldPermit
    expect(await permits.extend(permit, 'att_1', NOON + 20)).toBe(true)
    expect(await acquire('att_2', { cap: 1, now: NOON + 15 })).toBeNull()
    expect(await acquire('att_2', { cap: 1, now: NOON + 20, until: NOON + 30 })).not.toBeNull()
    expect(await permits.extend(permit, 'att_1', NOON + 99)).toBe(false)
    await permits.extend({ scope: 'ORG#never used', shard: 0 }, 'att_1', NOON + 99)
    expect(await permits.count(SCOPE, NOON + 25)).toBe(1)
    expect(await permits.count(SCOPE, NOON + 30)).toBe(0)
    expect(await permits.count('ORG#never used', NOON)).toBe(0)
  })

  test('a lowered cap grants nothing until fewer than it are left', async () => {
    expect(await acquireMany('old', { count: 120, cap: 120, now: NOON })).toBe(120)
    expect(await acquireMany('new', { count: 20, cap: 10, now: NOON + 999 })).toBe(0)
    expect(await acquireMany('new', { count: 40, cap: 10, now: NOON + 1000 })).toBe(10)
    expect(await permits.count(SCOPE, NOON + 1000)).toBe(10)
  })

  test('a raised cap grants the difference', async () => {
    expect(await acquireMany('old', { count: 60, cap: 40, now: NOON })).toBe(40)
    expect(await acquireMany('new', { count: 60, cap: 70, now: NOON })).toBe(30)
  })

  test('room is what is left of the cap', async () => {
    const room = (cap: number, now = NOON) => permits.room({ scope: SCOPE, cap, now })
    expect(await room(60)).toBe(60)
    await acquireMany('att', { count: 3, cap: 60, now: NOON })
    expect([await room(60), await room(2), await room(60, NOON + 1000)]).toEqual([57, 0, 60])
  })

  test('a cap that was set counts instead of the one that is asked with, and the last one set', async () => {
    await permits.setCap(SCOPE, 9)
    await permits.setCap(SCOPE, 2)
    expect(await acquireMany('att', { count: 5, cap: 1, now: NOON })).toBe(2)
    expect(await acquire('att_more', { cap: 100 })).toBeNull()
    expect(await permits.room({ scope: SCOPE, cap: 100, now: NOON })).toBe(0)
    await permits.setCap(SCOPE, 3)
    expect(await permits.room({ scope: SCOPE, cap: 1, now: NOON })).toBe(1)
    expect(await acquire('att_more', { cap: 1 })).not.toBeNull()
    expect(await permits.count(SCOPE, NOON)).toBe(3)
  })

  test('scopes do not share', async () => {
    expect(await acquire('att_1', { cap: 1, scope: 'ORG#org_1' })).not.toBeNull()
    expect(await acquire('att_1', { cap: 1, scope: 'ORG#org_10' })).not.toBeNull()
    expect(await permits.count('ORG#org_1', NOON)).toBe(1)
  })
}
