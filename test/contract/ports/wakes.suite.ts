import { beforeEach, expect, test } from 'vitest'

import { WAKE_LOST_MS, type Wakes } from '#shared/ports/wakes.ts'

import { NOON } from './sample-records.ts'

const SCOPE = 'CMP#camp_1'

export function wakesSuite(open: () => Promise<Wakes>): void {
  let wakes: Wakes
  beforeEach(async () => {
    wakes = await open()
  })

  test('of many who want a wake-up now one sends it, until it has come', async () => {
    const claims = () => Promise.all(Array.from({ length: 20 }, () => wakes.claimNow(SCOPE, NOON)))
    expect((await claims()).filter(Boolean)).toHaveLength(1)
    expect((await claims()).filter(Boolean)).toHaveLength(0)
    await wakes.clearNow(SCOPE)
    expect((await claims()).filter(Boolean)).toHaveLength(1)
  })

  test('one that does not come is lost after a while', async () => {
    await wakes.claimNow(SCOPE, NOON)
    expect(await wakes.claimNow(SCOPE, NOON + WAKE_LOST_MS - 1)).toBe(false)
    expect(await wakes.claimNow(SCOPE, NOON + WAKE_LOST_MS)).toBe(true)
  })

  test('of those to come the earliest is sent, and the next one when it has passed', async () => {
    expect(await wakes.claimAt(SCOPE, NOON + 500, NOON)).toBe(true)
    expect(await wakes.claimAt(SCOPE, NOON + 500, NOON)).toBe(false)
    expect(await wakes.claimAt(SCOPE, NOON + 900, NOON)).toBe(false)
    expect(await wakes.claimAt(SCOPE, NOON + 100, NOON)).toBe(true)
    expect(await wakes.claimAt(SCOPE, NOON + 900, NOON + 99)).toBe(false)
    expect(await wakes.claimAt(SCOPE, NOON + 900, NOON + 100)).toBe(true)
  })

  test('one that came too soon is asked for again, the more often the nearer it is', async () => {
    const claims = [0, 249, 250, 374, 375, 376, 500].map((after) => NOON + after)
    const won: number[] = []
    for (const now of claims) {
      if (await wakes.claimAt(SCOPE, NOON + 500, now)) won.push(now - NOON)
    }
    expect(won).toEqual([0, 250, 375, 500])
  })

  test('wake-ups now, later, and of other scopes do not meet', async () => {
    expect(await wakes.claimAt(SCOPE, NOON + 1, NOON)).toBe(true)
    expect(await wakes.claimNow(SCOPE, NOON)).toBe(true)
    expect(await wakes.claimNow('CMP#camp_2', NOON)).toBe(true)
    await wakes.clearNow(SCOPE)
    await wakes.clearNow('CMP#camp_3')
    expect(await wakes.claimAt(SCOPE, NOON + 1, NOON)).toBe(false)
  })
}
