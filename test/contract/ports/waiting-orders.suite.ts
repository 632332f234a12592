import { beforeEach, expect, test } from 'vitest'

import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { CallStore } from '#shared/ports/call-store.ts'

import { expectSaved } from './expect-saved.ts'
import { next, NOON, sampleOrder } from './sample-records.ts'

/** What a store of calls knows about orders that wait for their turn. */
export function waitingOrdersSuite(open: () => Promise<CallStore>): void {
  let calls: CallStore
  beforeEach(async () => {
    calls = await open()
  })

  test('those that are due come earliest first, of one scope, up to a limit', async () => {
    const dueAts = { call_a: NOON + 2, call_b: NOON, call_c: NOON + 1, call_d: NOON + 1 }
    for (const [id, dueAt] of Object.entries(dueAts)) {
      await expectSaved(calls, { order: { before: null, after: sampleOrder({ id, dueAt }) } })
    }
    const foreign = sampleOrder({ id: 'call_x', scope: 'ORG#org_10', dueAt: 1 })
    await expectSaved(calls, { order: { before: null, after: foreign } })
    const ids = async (until: number, limit: number) =>
      (await calls.listDue('ORG#org_1', until, limit)).map(({ orderId }) => orderId)
    expect(await calls.listDue('ORG#org_1', NOON, 10)).toEqual([{ orderId: 'call_b', dueAt: NOON }])
    expect(await ids(NOON + 1, 10)).toEqual(['call_b', 'call_c', 'call_d'])
    expect(await ids(NOON + 9, 2)).toEqual(['call_b', 'call_c'])
    expect(await ids(NOON - 1, 10)).toEqual([])
    expect(await calls.nextDueAt('ORG#org_1')).toBe(NOON)
    expect(await calls.nextDueAt('ORG#org_10')).toBe(1)
  })

  test('an order that no longer waits is gone', async () => {
    const order = sampleOrder()
    await expectSaved(calls, { order: { before: null, after: order } })
    const later = next(order, { dueAt: NOON + 5 })
    await expectSaved(calls, { order: { before: order, after: later } })
    expect(await calls.nextDueAt(order.scope)).toBe(NOON + 5)
    const called = next(later, { status: 'calling', dueAt: null })
    await expectSaved(calls, { order: { before: later, after: called } })
    expect(await calls.listDue(order.scope, NOON + 9, 10)).toEqual([])
    expect(await calls.nextDueAt(order.scope)).toBeNull()
  })

  test('blocked ones wait apart, by permit, earliest first', async () => {
    const blocked = {
      call_a: [NOON + 2, 'KEY#org_1#a'],
      call_b: [NOON, 'KEY#org_1#a#b'],
    } as const
    const more = { call_c: [NOON + 1, 'KEY#org_1#a'], call_d: [NOON + 1, 'KEY#org_1#a'] } as const
    for (const [id, [dueAt, blockedBy]] of Object.entries({ ...blocked, ...more })) {
      const after = sampleOrder({ id, dueAt, blockedBy })
      await expectSaved(calls, { order: { before: null, after } })
    }
    const foreign = sampleOrder({ id: 'call_x', organizationId: 'org_10', blockedBy: 'TO#x' })
    await expectSaved(calls, { order: { before: null, after: foreign } })
    expect(await calls.listDue('ORG#org_1', NOON + 9, 10)).toEqual([])
    expect(await calls.nextDueAt('ORG#org_1')).toBeNull()
    expect(await calls.listBlocked('org_1', 'KEY#org_1#a', 2)).toEqual(['call_c', 'call_d'])
    expect(await calls.listBlocked('org_1', 'KEY#org_1#a', 9)).toEqual([
      'call_c',
      'call_d',
      'call_a',
    ])
    expect(await calls.listBlocked('org_1', 'TO#x', 9)).toEqual([])
    expect((await calls.listBlockingPermits('org_1')).toSorted()).toEqual([
      'KEY#org_1#a',
      'KEY#org_1#a#b',
    ])
    expect(await calls.listBlockingPermits('org_2')).toEqual([])
  })

  test('one that is blocked no longer is back in its scope', async () => {
    const order = sampleOrder({ blockedBy: 'KEY#org_1#a' })
    await expectSaved(calls, { order: { before: null, after: order } })
    const free = next(order, { blockedBy: null })
    await expectSaved(calls, { order: { before: order, after: free } })
    expect(await calls.listBlockingPermits('org_1')).toEqual([])
    expect(await calls.listDue('ORG#org_1', NOON, 10)).toEqual([{ orderId: 'call_1', dueAt: NOON }])
  })

  test('whoever would be called again is found by their number, called last first', async () => {
    const waits = (id: string, endedAt: number, changes: Partial<CallOrder> = {}) =>
      sampleOrder({
        id,
        lastAttempt: { number: 1, startedAt: 1, endedAt, result: null, dialError: 'busy' },
        ...changes,
      })
    const find = () => calls.findRetryPending('org_1', '+12025550100')
    expect(await find()).toBeNull()
    const [early, late] = [waits('call_z', NOON), waits('call_a', NOON + 9)]
    for (const after of [
      early,
      late,
      waits('call_new', NOON + 10, { attemptsMade: 0, lastAttempt: null }),
      waits('call_in', NOON + 10, { direction: 'inbound' }),
      waits('call_calling', NOON + 10, { status: 'calling', dueAt: null, attemptsMade: 2 }),
      waits('call_foreign', NOON + 10, { organizationId: 'org_2' }),
      waits('call_other', NOON + 10, { toPhoneNumber: '+12025550101' }),
    ]) {
      await expectSaved(calls, { order: { before: null, after } })
    }
    expect(await find()).toBe('call_a')
    const held = next(late, { status: 'paused', dueAt: null })
    await expectSaved(calls, { order: { before: late, after: held } })
    expect(await find()).toBe('call_a')
    const called = next(held, { status: 'calling', dueAt: null, attemptsMade: 2 })
    await expectSaved(calls, { order: { before: held, after: called } })
    expect(await find()).toBe('call_z')
    const final = next(early, { status: 'cancelled', dueAt: null })
    await expectSaved(calls, { order: { before: early, after: final } })
    expect(await find()).toBeNull()
  })

  test('a call that came in and the order that it answers change together or not at all', async () => {
    const waiting = sampleOrder({ id: 'call_out' })
    await expectSaved(calls, { order: { before: null, after: waiting } })
    const place = { dueAt: null, campaign: null }
    const inbound = sampleOrder({ id: 'call_in', direction: 'inbound', ...place })
    const cancelled = next(waiting, { status: 'cancelled', dueAt: null })
    const write = {
      order: { before: null, after: inbound },
      calledBack: { before: waiting, after: cancelled },
      effects: [],
    }
    const changed = next(waiting, { dueAt: NOON + 1 })
    await expectSaved(calls, { order: { before: waiting, after: changed } })
    expect(await calls.save(write)).toEqual({ kind: 'conflict' })
    expect(await calls.findOrder('call_in')).toBeNull()
    const after = next(changed, { status: 'cancelled', dueAt: null })
    await expectSaved(calls, { ...write, calledBack: { before: changed, after } })
    expect(await calls.findOrder('call_out')).toEqual(after)
    expect(await calls.findOrder('call_in')).toEqual(inbound)
  })

  test('a scope is listed once', async () => {
    expect(await calls.listScopes()).toEqual([])
    for (const scope of ['ORG#org_1', 'CMP#camp_1', 'ORG#org_1']) {
      await calls.registerScope(scope)
    }
    expect(await calls.listScopes()).toEqual(['CMP#camp_1', 'ORG#org_1'])
  })
}
