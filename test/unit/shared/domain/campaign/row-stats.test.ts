import * as fc from 'fast-check'
import { expect, it, test } from 'vitest'

import { CALL_ORDER_STATUSES, type CallOrderStatus } from '#shared/domain/call-order/order.ts'
import type { RowStats } from '#shared/domain/campaign/campaign.ts'
import {
  addRowStats,
  NO_ROWS,
  rowCounter,
  rowStatsDelta,
  shownRowStats,
  type RowState,
} from '#shared/domain/campaign/row-stats.ts'

test.each<[CallOrderStatus, string, string]>([
  ['not_launched', 'pending', 'retry'],
  ['initializing', 'pending', 'retry'],
  ['scheduled', 'pending', 'retry'],
  ['queued_for_calling', 'pending', 'retry'],
  ['paused', 'pending', 'retry'],
  ['calling', 'calling', 'calling'],
  ['post_processing', 'calling', 'calling'],
  ['completed', 'completed', 'completed'],
  ['errored', 'failed', 'failed'],
  ['cancelled', 'failed', 'failed'],
])('%s counts as %s, after an attempt as %s', (status, first, later) => {
  expect(rowCounter({ status, attemptsMade: 0 })).toBe(first)
  expect(rowCounter({ status, attemptsMade: 2 })).toBe(later)
})

const anyRow: fc.Arbitrary<RowState> = fc.record({
  status: fc.constantFrom(...CALL_ORDER_STATUSES),
  attemptsMade: fc.integer({ min: 0, max: 3 }),
})

it('equals a fresh count after any changes, and always sums to the total', () => {
  const anyChange = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.option(anyRow))
  fc.assert(
    fc.property(fc.array(anyChange), (changes) => {
      const rows = new Map<number, RowState>()
      let stats = NO_ROWS
      for (const [id, after] of changes) {
        stats = addRowStats(stats, rowStatsDelta(rows.get(id) ?? null, after))
        if (after === null) rows.delete(id)
        else rows.set(id, after)
        const { total, ...counters } = stats
        expect(Object.values(counters).reduce((sum, one) => sum + one, 0)).toBe(total)
      }
      const counted = [...rows.values()].reduce<RowStats>(
        (sum, row) => ({
          ...sum,
          [rowCounter(row)]: sum[rowCounter(row)] + 1,
          total: sum.total + 1,
        }),
        NO_ROWS,
      )
      expect(stats).toEqual(counted)
    }),
  )
})

const shown = (
  stats: Partial<RowStats>,
  campaign: { count: number | null; isCancelled: boolean },
) =>
  shownRowStats(
    { ...NO_ROWS, ...stats },
    {
      isCancelled: campaign.isCancelled,
      contacts: { key: '', count: campaign.count, rows: 0, offset: 0 },
    },
  )

test('contacts that are no rows yet are shown as pending', () => {
  const stats = { completed: 1, pending: 2, total: 3 }
  expect(shown(stats, { count: 10, isCancelled: false })).toMatchObject({
    completed: 1,
    pending: 9,
    total: 10,
  })
  expect(shown(stats, { count: null, isCancelled: false })).toMatchObject({ pending: 2, total: 3 })
})

test('what waited when a campaign was cancelled is shown as failed', () => {
  const stats = { calling: 1, failed: 1, pending: 2, retry: 3, total: 7 }
  expect(shown(stats, { count: 10, isCancelled: true })).toEqual({
    calling: 1,
    completed: 0,
    failed: 9,
    pending: 0,
    retry: 0,
    total: 10,
  })
})
