import { beforeEach, expect, test } from 'vitest'

import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { CallStore } from '#shared/ports/call-store.ts'

import { next, sampleAssistant, sampleOrder } from './sample-records.ts'

/** Which orders use an assistant. */
export function assistantOrdersSuite(open: () => Promise<CallStore>): void {
  let calls: CallStore
  beforeEach(async () => {
    calls = await open()
  })

  const stored = (version: number) => ({ kind: 'stored', assistantId: 'asst_1', version }) as const
  const waiting = (id: string, names: readonly string[], changes: Partial<CallOrder> = {}) =>
    sampleOrder({
      id,
      attemptsMade: 0,
      lastAttempt: null,
      assistant: stored(1),
      promptVariables: Object.fromEntries(names.map((name) => [name, `the ${name} of ${id}`])),
      ...changes,
    })
  const create = (after: CallOrder) => calls.save({ order: { before: null, after }, effects: [] })
  const change = (before: CallOrder, changes: Partial<CallOrder>) =>
    calls.save({ order: { before, after: next(before, changes) }, effects: [] })

  test('nobody uses an assistant that no order names', async () => {
    await create(waiting('call_1', [], { assistant: { ...stored(1), assistantId: 'asst_2' } }))
    const settings = sampleAssistant()
    await create(waiting('call_2', [], { assistant: { kind: 'inline', settings } }))
    expect(await calls.isAssistantInUse('asst_1')).toBe(false)
    expect(await calls.listKindsNotBegun('asst_1')).toEqual([])
  })

  test('an order uses it until it is final', async () => {
    const order = waiting('call_1', [])
    await create(order)
    expect(await calls.isAssistantInUse('asst_1')).toBe(true)
    const begun = next(order, { status: 'calling', attemptsMade: 1 })
    await calls.save({ order: { before: order, after: begun }, effects: [] })
    expect(await calls.isAssistantInUse('asst_1')).toBe(true)
    await change(begun, { status: 'cancelled', dueAt: null })
    expect(await calls.isAssistantInUse('asst_1')).toBe(false)
  })

  test('kinds are told apart by version and names, not by values or their order', async () => {
    await create(waiting('call_1', ['a', 'b']))
    await create(waiting('call_2', ['b', 'a']))
    await create(waiting('call_3', ['a']))
    await create(waiting('call_4', ['a'], { assistant: stored(2) }))
    await create(waiting('call_5', []))
    const kinds = await calls.listKindsNotBegun('asst_1')
    expect(kinds).toHaveLength(4)
    expect(kinds).toEqual(
      expect.arrayContaining([
        { version: 1, variables: ['a', 'b'] },
        { version: 1, variables: ['a'] },
        { version: 2, variables: ['a'] },
        { version: 1, variables: [] },
      ]),
    )
    const counts = kinds.map((kind) => calls.countNotBegun('asst_1', kind))
    expect((await Promise.all(counts)).toSorted((one, other) => one - other)).toEqual([1, 1, 1, 2])
    expect(await calls.countNotBegun('asst_1', { version: 1, variables: ['b', 'a'] })).toBe(2)
    expect(await calls.countNotBegun('asst_1', { version: 3, variables: ['a'] })).toBe(0)
  })

  test('an order counts as not begun until its first attempt, paused or not', async () => {
    const orders = ['call_1', 'call_2', 'call_3'].map((id) => waiting(id, ['a']))
    for (const order of orders) await create(order)
    const [first, second] = orders as [CallOrder, CallOrder]
    await change(first, { status: 'calling', attemptsMade: 1, assistant: stored(2) })
    await change(second, { status: 'paused', dueAt: null })
    const kind = { version: 1, variables: ['a'] }
    expect(await calls.listKindsNotBegun('asst_1')).toEqual([kind])
    expect(await calls.countNotBegun('asst_1', kind)).toBe(2)
  })

  test('awkward names of variables are names like any other', async () => {
    await create(waiting('call_1', ['', 'a#b', '~', '🙋🏽‍♀️']))
    const [kind] = await calls.listKindsNotBegun('asst_1')
    expect(kind?.variables.toSorted()).toEqual(['', 'a#b', '~', '🙋🏽‍♀️'].toSorted())
    expect(await calls.countNotBegun('asst_1', kind!)).toBe(1)
  })
}
