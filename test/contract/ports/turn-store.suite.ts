import { beforeEach, expect, test } from 'vitest'

import type { TurnStore } from '#shared/ports/turn-store.ts'

import { NOON } from './sample-records.ts'

const PERMIT = 'TRUNK#one'

export function turnStoreSuite(open: () => Promise<TurnStore>): void {
  let turns: TurnStore
  beforeEach(async () => {
    turns = await open()
  })
  const wait = (scope: string, now: number, isServed = false) =>
    turns.wait(PERMIT, { scope, party: 'org_1', isServed, now })

  test('nobody waits before anybody does', async () => {
    expect(await turns.find(PERMIT)).toEqual({ waiters: [], shares: [] })
    await turns.leave(PERMIT, 'CMP#camp_1')
    await turns.serve(PERMIT, 'org_1', { calls: 1, now: NOON })
    expect(await turns.find(PERMIT)).toEqual({ waiters: [], shares: [] })
  })

  test('a scope waits since it first did, was last seen when it last did, until it leaves', async () => {
    await wait('CMP#camp_1', NOON)
    await wait('CMP#camp_2', NOON + 1)
    await wait('CMP#camp_1', NOON + 5)
    const { waiters } = await turns.find(PERMIT)
    expect(waiters.toSorted((one, other) => one.since - other.since)).toEqual([
      { scope: 'CMP#camp_1', party: 'org_1', since: NOON, seenAt: NOON + 5 },
      { scope: 'CMP#camp_2', party: 'org_1', since: NOON + 1, seenAt: NOON + 1 },
    ])
    await turns.leave(PERMIT, 'CMP#camp_1')
    expect((await turns.find(PERMIT)).waiters).toHaveLength(1)
    await wait('CMP#camp_1', NOON + 9)
    expect((await turns.find(PERMIT)).waiters).toContainEqual({
      scope: 'CMP#camp_1',
      party: 'org_1',
      since: NOON + 9,
      seenAt: NOON + 9,
    })
  })

  test('a scope that was served stands behind the others again', async () => {
    await wait('CMP#camp_1', NOON)
    await wait('CMP#camp_1', NOON + 5, true)
    expect((await turns.find(PERMIT)).waiters).toMatchObject([
      { since: NOON + 5, seenAt: NOON + 5 },
    ])
  })

  test('a share grows by what is served, also by many at once, and may begin anew', async () => {
    await turns.begin(PERMIT, { party: 'org_1', calls: 10, lastAt: NOON })
    await Promise.all(
      Array.from({ length: 10 }, () => turns.serve(PERMIT, 'org_1', { calls: 2, now: NOON + 1 })),
    )
    const grown = { party: 'org_1', calls: 30, lastAt: NOON + 1 }
    expect((await turns.find(PERMIT)).shares).toEqual([grown])
    const anew = { party: 'org_1', calls: 0, lastAt: NOON + 2 }
    await turns.begin(PERMIT, anew)
    expect((await turns.find(PERMIT)).shares).toEqual([anew])
  })

  test('permits do not share', async () => {
    await wait('CMP#camp_1', NOON)
    await turns.begin(PERMIT, { party: 'org_1', calls: 0, lastAt: NOON })
    expect(await turns.find('TRUNK#on')).toEqual({ waiters: [], shares: [] })
  })
}
