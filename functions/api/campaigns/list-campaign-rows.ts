import { sha256 } from '#functions/campaigns/sha256.ts'
import { ANSWER_BYTES_MAX, answerBytes } from '#functions/middleware/answer-bytes.ts'
import { invalid, ok, refused } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { callToWire } from '#shared/contract/call-to-wire.ts'
import { campaignRowToWire } from '#shared/contract/campaign-to-wire.ts'
import { type CampaignRowWire, rowFilterOf } from '#shared/contract/campaign.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { callRowOf } from '#shared/domain/call-search/call-row.ts'
import { listCampaignRows } from '#shared/use-cases/list-campaign-rows.ts'
import { readCalls } from '#shared/use-cases/read-calls.ts'

type Ports = Parameters<typeof listCampaignRows>[0] & Parameters<typeof readCalls>[0]

/** GET /campaigns/{id}/rows */
export const listCampaignRowsOperation: Operation<Ports, 'listCampaignRows'> = async (
  ports,
  { caller, params, query },
) => {
  const { page, page_size: pageSize } = query
  const orders = await listCampaignRows(ports, {
    organizationId: caller.organizationId,
    campaignId: params.id,
    page,
    pageSize,
    filter: rowFilterOf(query),
    hash: sha256,
  })
  if (orders === null) return refused('not_found', 'There is no campaign with this id')
  const rows = await withCalls(ports, caller.organizationId, orders)
  if (rows === null) {
    const detail = 'The rows are too large for one answer; ask for fewer at once'
    return invalid([{ pointer: '/page_size', code: 'too_big', detail }])
  }
  return ok({ page, page_size: pageSize, rows })
}

/** Rows with as many of their calls as one answer holds; null when it does not even hold the rows. */
async function withCalls(
  ports: Ports,
  organizationId: string,
  orders: readonly CallOrder[],
): Promise<CampaignRowWire[] | null> {
  const rows = orders.map((order) => campaignRowToWire(order, null))
  let bytes = answerBytes(rows)
  if (bytes > ANSWER_BYTES_MAX) return null
  const byId = new Map(orders.map((order, index) => [order.id, { order, index }]))
  for await (const { row, call } of readCalls(ports, {
    organizationId,
    rows: orders.map(callRowOf),
  })) {
    const found = byId.get(row.id)
    if (call === null || found === undefined) continue
    const whole = campaignRowToWire(found.order, callToWire(call))
    bytes += answerBytes(whole.call)
    if (bytes > ANSWER_BYTES_MAX) break
    rows[found.index] = whole
  }
  return rows
}
