import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { RowStats } from '#shared/domain/campaign/campaign.ts'
import { addRowStats, NO_ROWS, rowStatsDelta } from '#shared/domain/campaign/row-stats.ts'
import type { CampaignOrders } from '#shared/ports/campaign-orders.ts'

import { frozenCopy } from './frozen-copy.ts'

/** Where the call store in memory keeps what campaigns know of. */
export interface CampaignOrderState {
  readonly orders: Map<string, CallOrder>
  /** By campaign. */
  readonly rowStats: Map<string, RowStats>
  readonly scopes: Set<string>
}

/** What the call store in memory does for campaigns. */
export function campaignOrders(state: CampaignOrderState): CampaignOrders {
  const { orders, rowStats, scopes } = state
  return {
    findOrders: async (orderIds) => orderIds.flatMap((id) => orders.get(id) ?? []),
    createOrders: async (created) => {
      if (created.some(({ id }) => orders.has(id))) return { kind: 'conflict' }
      for (const order of created) {
        orders.set(order.id, frozenCopy(order))
        countRow(state, null, order)
      }
      return { kind: 'saved' }
    },
    eraseOrder: async (order) => {
      if (orders.get(order.id)?.version !== order.version) return { kind: 'conflict' }
      orders.delete(order.id)
      countRow(state, order, null)
      return { kind: 'saved' }
    },
    rowStats: async (campaignId) => rowStats.get(campaignId) ?? NO_ROWS,
    eraseRowStats: async (campaignId) => {
      rowStats.delete(campaignId)
    },
    unregisterScope: async (scope) => {
      scopes.delete(scope)
    },
  }
}

/** Counts a change of an order among the rows of its campaign. */
export function countRow(
  { rowStats }: CampaignOrderState,
  before: CallOrder | null,
  after: CallOrder | null,
): void {
  const campaignId = (after ?? before)?.campaign?.campaignId
  if (campaignId === undefined) return
  const stats = rowStats.get(campaignId) ?? NO_ROWS
  rowStats.set(campaignId, addRowStats(stats, rowStatsDelta(before, after)))
}
