import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { asksForAll, matchesRow, type RowFilter } from '#shared/domain/campaign/row-filter.ts'
import { rowIds } from '#shared/domain/campaign/row-ids.ts'
import type { Hash } from '#shared/domain/derived-digits.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { findOwnCampaign } from './find-campaigns.ts'

/** So many rows are in memory at once, besides those that are shown. */
const ROWS_AT_ONCE = 1_000

/**
 * The orders of a page of a campaign's rows (spec 4.2), by row index; null for a campaign that is
 * not there. With a filter every row up to the end of the page is looked at.
 */
export async function listCampaignRows(
  ports: Pick<ServicePorts, 'campaigns' | 'calls'>,
  input: {
    readonly organizationId: string
    readonly campaignId: string
    /** From 1. */
    readonly page: number
    readonly pageSize: number
    readonly filter: RowFilter
    readonly hash: Hash
  },
): Promise<readonly CallOrder[] | null> {
  const { campaignId, page, pageSize, filter } = input
  const campaign = await findOwnCampaign(ports, input)
  if (campaign === null) return null
  const count = campaign.contacts.rows
  const first = (page - 1) * pageSize
  const read = (from: number, to: number) => {
    const indexes = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
    return ports.calls.findOrders(
      indexes.map((index) => rowIds(input.hash, campaignId, index).orderId),
    )
  }
  if (asksForAll(filter)) return read(first, Math.min(first + pageSize, count))
  const shown: CallOrder[] = []
  let skipped = 0
  for (let from = 0; from < count && shown.length < pageSize; from += ROWS_AT_ONCE) {
    for (const order of await read(from, Math.min(from + ROWS_AT_ONCE, count))) {
      if (!matchesRow(order, filter)) continue
      if (skipped < first) skipped += 1
      else if (shown.length < pageSize) shown.push(order)
    }
  }
  return shown
}
