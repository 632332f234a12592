import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { RowStats } from '#shared/domain/campaign/campaign.ts'

import type { SaveResult } from './change.ts'

/** So many orders of one campaign are stored at once. */
export const ORDERS_AT_ONCE_MAX = 40

/** The part of the call store that knows campaigns: their rows are orders, counted as they change. */
export interface CampaignOrders {
  /** Those that exist, in the order of the ids; any number of them. */
  findOrders(orderIds: readonly string[]): Promise<CallOrder[]>
  /** Stores new orders of one campaign together; none when one exists already, or it is closed. */
  createOrders(orders: readonly CallOrder[]): Promise<SaveResult>
  /** Forgets an order that was never called, if its version is still that. */
  eraseOrder(order: CallOrder): Promise<SaveResult>
  /** What a campaign's rows are doing: counted in the transaction of each change of a row. */
  rowStats(campaignId: string): Promise<RowStats>
  /** From then on the campaign gets no new orders, also from whoever is about to store some. */
  closeRows(campaignId: string): Promise<void>
  /** The sweep need not look at the scope any more; harmless when repeated. */
  unregisterScope(scope: string): Promise<void>
}
