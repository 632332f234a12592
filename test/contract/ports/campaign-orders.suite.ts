import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'

import { CALL_ORDER_STATUSES, type CallOrder } from '#shared/domain/call-order/order.ts'
import type { RowStats } from '#shared/domain/campaign/campaign.ts'
import { addRowStats, NO_ROWS, rowStatsDelta } from '#shared/domain/campaign/row-stats.ts'
import { LAST_MOMENT } from '#shared/domain/time.ts'
import type { CallStore } from '#shared/ports/call-store.ts'
import { ORDERS_AT_ONCE_MAX } from '#shared/ports/campaign-orders.ts'

import {
  incompressible,
  next,
  sampleAssistant,
  sampleAttempt,
  sampleOrder,
} from './sample-records.ts'

export function campaignOrdersSuite(open: () => Promise<CallStore>): void {
  let calls: CallStore
  beforeEach(async () => {
    calls = await open()
  })

  const row = (index: number, changes: Partial<CallOrder> = {}): CallOrder =>
    sampleOrder({
      id: `call_${index}`,
      scope: 'CMP#camp_1',
      campaign: { campaignId: 'camp_1', rowId: `row_${index}`, rowIndex: index },
      status: 'scheduled',
      attemptsMade: 0,
      ...changes,
    })
  const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index))
  const stats = (changes: Partial<RowStats>) => ({ ...NO_ROWS, ...changes })

  describe('many at once', () => {
    test('are stored together, wait, and are counted', async () => {
      const orders = rows(ORDERS_AT_ONCE_MAX)
      expect(await calls.createOrders(orders)).toEqual({ kind: 'saved' })
      expect(await calls.findOrders(orders.map(({ id }) => id))).toEqual(orders)
      expect(await calls.listDue('CMP#camp_1', LAST_MOMENT, 100)).toHaveLength(ORDERS_AT_ONCE_MAX)
      expect(await calls.rowStats('camp_1')).toEqual(
        stats({ pending: ORDERS_AT_ONCE_MAX, total: ORDERS_AT_ONCE_MAX }),
      )
    })

    test('may each be as large as a contact can be', async () => {
      const orders = rows(ORDERS_AT_ONCE_MAX).map((order, index) => ({
        ...order,
        promptVariables: { text: incompressible(65_000, index + 1) },
      }))
      expect(await calls.createOrders(orders)).toEqual({ kind: 'saved' })
      expect(await calls.findOrders(['call_0', 'call_39'])).toEqual([orders[0], orders[39]])
    })

    test('are none when one of them exists', async () => {
      await calls.createOrders([row(1)])
      expect(await calls.createOrders([row(0), row(1, { status: 'errored' })])).toEqual({
        kind: 'conflict',
      })
      expect(await calls.findOrders(['call_0', 'call_1'])).toEqual([row(1)])
      expect(await calls.rowStats('camp_1')).toEqual(stats({ pending: 1, total: 1 }))
    })
  })

  describe('of a closed campaign', () => {
    test('are none; those that exist change and go as ever', async () => {
      await calls.createOrders([row(0), row(1)])
      await calls.closeRows('camp_1')
      await calls.closeRows('camp_1')
      for (const index of [2, 3, 4, 5]) {
        expect(await calls.createOrders([row(index)])).toEqual({ kind: 'conflict' })
      }
      expect(await calls.findOrders(['call_2', 'call_3', 'call_4', 'call_5'])).toEqual([])
      const change = { before: row(0), after: next(row(0), { status: 'calling' }) }
      expect(await calls.save({ order: change, effects: [] })).toEqual({ kind: 'saved' })
      expect(await calls.eraseOrder(row(1))).toEqual({ kind: 'saved' })
      expect(await calls.rowStats('camp_1')).toEqual(stats({ calling: 1, total: 1 }))
      const other = row(6, { campaign: { campaignId: 'camp_11', rowId: 'row_6', rowIndex: 6 } })
      expect(await calls.createOrders([other])).toEqual({ kind: 'saved' })
    })

    test('are none either when the campaign had none', async () => {
      await calls.closeRows('camp_1')
      expect(await calls.createOrders([row(0)])).toEqual({ kind: 'conflict' })
      expect(await calls.rowStats('camp_1')).toEqual(NO_ROWS)
    })
  })

  describe('found by their ids', () => {
    test('are those that exist, in the order of the ids, however many', async () => {
      const orders = rows(130)
      for (let from = 0; from < orders.length; from += ORDERS_AT_ONCE_MAX) {
        await calls.createOrders(orders.slice(from, from + ORDERS_AT_ONCE_MAX))
      }
      const ids = Array.from({ length: 400 }, (_, index) => `call_${399 - index}`)
      expect(await calls.findOrders(ids)).toEqual(orders.toReversed())
      expect(await calls.findOrders([])).toEqual([])
    })

    test('are whole, whatever their size', async () => {
      const large = row(0, { promptVariables: { text: incompressible(500_000) } })
      const inline = row(1, { assistant: { kind: 'inline', settings: sampleAssistant() } })
      for (const order of [large, inline]) {
        await calls.save({ order: { before: null, after: order }, effects: [] })
      }
      expect(await calls.findOrders(['call_0', 'call_1'])).toEqual([large, inline])
    })
  })

  describe('erased', () => {
    test('nothing of it is left', async () => {
      const large = row(0, { promptVariables: { text: incompressible(500_000) } })
      await calls.createOrders([row(1)])
      await calls.save({ order: { before: null, after: large }, effects: [] })
      expect(await calls.eraseOrder(large)).toEqual({ kind: 'saved' })
      expect(await calls.findOrder('call_0')).toBeNull()
      expect(await calls.listDue('CMP#camp_1', LAST_MOMENT, 10)).toHaveLength(1)
      expect(await calls.rowStats('camp_1')).toEqual(stats({ pending: 1, total: 1 }))
      expect(await calls.eraseOrder(large)).toEqual({ kind: 'conflict' })
    })

    test('only as it was read', async () => {
      const order = row(0)
      await calls.createOrders([order])
      const changed = next(order, { status: 'calling' })
      await calls.save({ order: { before: order, after: changed }, effects: [] })
      expect(await calls.eraseOrder(order)).toEqual({ kind: 'conflict' })
      expect(await calls.findOrder('call_0')).toEqual(changed)
    })

    test('an attempt goes with the change of its order, or both stay', async () => {
      const order = row(0, { status: 'calling', attemptsMade: 1 })
      const attempt = sampleAttempt({ orderId: 'call_0' })
      await calls.save({
        order: { before: null, after: order },
        attempt: { before: null, after: attempt },
        effects: [],
      })
      const back = { before: order, after: next(order, { status: 'paused', attemptsMade: 0 }) }
      const claimed = { ...attempt, version: 2 }
      const stale = { order: back, erasedAttempt: claimed, effects: [] }
      expect(await calls.save(stale)).toEqual({ kind: 'conflict' })
      expect(await calls.findCall('call_0')).toEqual({ order, attempts: [attempt] })
      const taken = { order: back, erasedAttempt: attempt, effects: [] }
      expect(await calls.save(taken)).toEqual({ kind: 'saved' })
      expect(await calls.findCall('call_0')).toEqual({ order: back.after, attempts: [] })
      expect(await calls.listExpiredLeases(Number.MAX_SAFE_INTEGER, 10)).toEqual([])
      expect(await calls.save(taken)).toEqual({ kind: 'conflict' })
    })
  })

  describe('row counters', () => {
    test('are those of one campaign', async () => {
      await calls.createOrders([row(0)])
      await calls.createOrders([
        row(1, { campaign: { campaignId: 'camp_11', rowId: 'row_1', rowIndex: 1 } }),
      ])
      await calls.save({
        order: { before: null, after: row(2, { campaign: null, scope: 'ORG#org_1' }) },
        effects: [],
      })
      expect(await calls.rowStats('camp_1')).toEqual(stats({ pending: 1, total: 1 }))
      expect(await calls.rowStats('camp_11')).toEqual(stats({ pending: 1, total: 1 }))
    })

    test('a save that is lost counts nothing', async () => {
      const order = row(0)
      await calls.createOrders([order])
      const change = { before: order, after: next(order, { status: 'calling' }) }
      await calls.save({ order: change, effects: [] })
      await calls.save({ order: change, effects: [] })
      expect(await calls.rowStats('camp_1')).toEqual(stats({ calling: 1, total: 1 }))
    })

    test('equal a recount after any changes, made at once', async () => {
      const ROWS = 12
      const change = fc.record({
        index: fc.integer({ min: 0, max: ROWS - 1 }),
        status: fc.constantFrom(...CALL_ORDER_STATUSES),
        attemptsMade: fc.integer({ min: 0, max: 2 }),
        isErased: fc.boolean(),
        isStale: fc.boolean(),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(change, { maxLength: 30 }), async (changes) => {
          calls = await open()
          const created = rows(ROWS)
          await calls.createOrders(created)
          await Promise.all(
            created.map(async (first, own) => {
              let current: CallOrder | null = first
              for (const { index, isErased, isStale, ...after } of changes) {
                if (index !== own || current === null) continue
                const before: CallOrder = isStale ? { ...current, version: 99 } : current
                const changed: CallOrder = next(before, after)
                const saved = isErased
                  ? await calls.eraseOrder(before)
                  : await calls.save({ order: { before, after: changed }, effects: [] })
                expect(saved.kind).toBe(isStale ? 'conflict' : 'saved')
                if (!isStale) current = isErased ? null : changed
              }
            }),
          )
          const left = await calls.findOrders(created.map(({ id }) => id))
          const recount = left
            .map((order) => rowStatsDelta(null, order))
            .reduce(addRowStats, NO_ROWS)
          expect(await calls.rowStats('camp_1')).toEqual(recount)
        }),
        { numRuns: 15 },
      )
    })
  })
}
