import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { retryPendingSince } from '#shared/domain/call-order/retry-pending.ts'
import type { RowStats } from '#shared/domain/campaign/campaign.ts'
import { addRowStats, NO_ROWS, rowStatsDelta } from '#shared/domain/campaign/row-stats.ts'
import type { CampaignOrders } from '#shared/ports/campaign-orders.ts'

import { frozenCopy } from './frozen-copy.ts'
import { MemoryTimeline } from './memory-timeline.ts'

/** Where the call store in memory keeps what campaigns know of. */
export interface CampaignOrderState {
  readonly orders: Map<string, CallOrder>
  /** By scope: its waiting orders. */
  readonly waiting: Map<string, MemoryTimeline<CallOrder>>
  /** By organization and permit: the orders that wait for that permit alone. */
  readonly blocked: Map<string, Map<string, MemoryTimeline<CallOrder>>>
  /** By organization and number: the orders that would call it again, called last first. */
  readonly retryPending: Map<string, MemoryTimeline<CallOrder>>
  /** By campaign. */
  readonly rowStats: Map<string, RowStats>
  /** Campaigns that get no new rows. */
  readonly closed: Set<string>
  readonly scopes: Set<string>
}

/** What the call store in memory does for campaigns. */
export function campaignOrders(state: CampaignOrderState): CampaignOrders {
  const { orders, rowStats, scopes, closed } = state
  return {
    findOrders: async (orderIds) => orderIds.flatMap((id) => orders.get(id) ?? []),
    createOrders: async (created) => {
      const isRefused = created.some(
        ({ id, campaign }) => orders.has(id) || closed.has(campaign?.campaignId ?? ''),
      )
      if (isRefused) return { kind: 'conflict' }
      for (const order of created) storeOrder(state, null, order)
      return { kind: 'saved' }
    },
    eraseOrder: async (order) => {
      if (orders.get(order.id)?.version !== order.version) return { kind: 'conflict' }
      storeOrder(state, order, null)
      return { kind: 'saved' }
    },
    rowStats: async (campaignId) => rowStats.get(campaignId) ?? NO_ROWS,
    closeRows: async (campaignId) => {
      closed.add(campaignId)
    },
    unregisterScope: async (scope) => {
      scopes.delete(scope)
    },
  }
}

/** Stores a change of an order, with its place among those that wait; null: it is not there. */
export function storeOrder(
  state: CampaignOrderState,
  before: CallOrder | null,
  after: CallOrder | null,
): void {
  if (before !== null) timelineOf(state, before).set(before.id, null, before)
  if (after !== null) {
    const order = frozenCopy(after)
    state.orders.set(order.id, order)
    timelineOf(state, order).set(order.id, order.dueAt, order)
  } else if (before !== null) state.orders.delete(before.id)
  noteRetryPending(state, before, after)
  countRow(state, before, after)
}

function noteRetryPending(
  { retryPending }: CampaignOrderState,
  before: CallOrder | null,
  after: CallOrder | null,
): void {
  const order = after ?? before
  if (order === null) return
  const since = after === null ? null : retryPendingSince(after)
  if (since === null && (before === null || retryPendingSince(before) === null)) return
  const key = retryPendingKey(order.organizationId, order.toPhoneNumber)
  const timeline = entryOf(retryPending, key, () => new MemoryTimeline<CallOrder>())
  timeline.set(order.id, since === null ? null : -since, order)
}

export function retryPendingKey(organizationId: string, phoneNumber: string): string {
  return `${organizationId}#${phoneNumber}`
}

/** Where an order stands while it waits. */
function timelineOf({ waiting, blocked }: CampaignOrderState, order: CallOrder) {
  const { scope, organizationId, blockedBy } = order
  if (blockedBy === null) return entryOf(waiting, scope, () => new MemoryTimeline<CallOrder>())
  const permits = entryOf(
    blocked,
    organizationId,
    () => new Map<string, MemoryTimeline<CallOrder>>(),
  )
  return entryOf(permits, blockedBy, () => new MemoryTimeline<CallOrder>())
}

function entryOf<V>(map: Map<string, V>, key: string, make: () => V): V {
  const entry = map.get(key) ?? make()
  map.set(key, entry)
  return entry
}

/** Counts a change of an order among the rows of its campaign. */
function countRow(
  { rowStats }: CampaignOrderState,
  before: CallOrder | null,
  after: CallOrder | null,
): void {
  const campaignId = (after ?? before)?.campaign?.campaignId
  if (campaignId === undefined) return
  const stats = rowStats.get(campaignId) ?? NO_ROWS
  rowStats.set(campaignId, addRowStats(stats, rowStatsDelta(before, after)))
}
