import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { conditionsOf } from '#shared/domain/call-search/call-filter.ts'
import { callRowOf, type CallPosition, type CallRow } from '#shared/domain/call-search/call-row.ts'
import { matches } from '#shared/domain/call-search/matches.ts'
import type { CallSearch, CallSelection } from '#shared/ports/call-search.ts'

/** The search over the orders of a call store in memory. */
export function memoryCallSearch(orders: ReadonlyMap<string, CallOrder>): CallSearch {
  /** Stored orders never change; a change is another order. */
  const rows = new WeakMap<CallOrder, CallRow>()
  const rowOf = (order: CallOrder): CallRow => {
    const row = rows.get(order) ?? callRowOf(order)
    rows.set(order, row)
    return row
  }
  const select = (selection: CallSelection): CallRow[] => {
    const { organizationId, createdFrom, createdTo } = selection
    const conditions = conditionsOf(selection.filter)
    return [...orders.values()]
      .filter((order) => order.organizationId === organizationId)
      .filter(({ createdAt }) => createdAt >= createdFrom && createdAt < createdTo)
      .map(rowOf)
      .filter((row) => matches(row, conditions))
  }
  return {
    list: async (selection, { direction, limit, after }) => {
      const sign = direction === 'asc' ? 1 : -1
      return select(selection)
        .filter((row) => after === null || sign * byCreation(row, after) > 0)
        .sort((one, other) => sign * byCreation(one, other))
        .slice(0, limit)
    },
    count: async (selection) => select(selection).length,
  }
}

function byCreation(one: CallPosition, other: CallPosition): number {
  if (one.createdAt !== other.createdAt) return one.createdAt - other.createdAt
  if (one.id === other.id) return 0
  return one.id < other.id ? -1 : 1
}
