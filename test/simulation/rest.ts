import { FINAL_STATUSES, type CallOrder } from '#shared/domain/call-order/order.ts'
import { isOver } from '#shared/domain/campaign/campaign.ts'
import { campaignScope } from '#shared/domain/scope.ts'
import type { Stores } from '#shared/ports/service-ports.ts'
import { hasWork } from '#shared/use-cases/settle-campaign.ts'

/**
 * Nothing happens to an order before `until` unless its owner wants it. Windows of several zones may
 * be open together in another season only.
 */
export function isDone({ status, dueAt }: CallOrder, until: number): boolean {
  const isFarOff = status === 'scheduled' && (dueAt ?? 0) > until
  return FINAL_STATUSES.has(status) || status === 'paused' || isFarOff
}

/** Why a campaign whose rows are done is not at rest, or null when nothing more will happen to it. */
export async function unrestOf(
  stores: Stores,
  campaignId: string,
  rowIds: Iterable<string>,
): Promise<string | null> {
  const campaign = await stores.campaigns.find(campaignId)
  if (campaign === null) return null
  if (hasWork(campaign)) return 'has rows to work on'
  if (campaign.status === 'paused' && !isOver(campaign)) return null
  const rows = await stores.calls.findOrders([...rowIds])
  const isFollowed = rows.every(({ status }) => FINAL_STATUSES.has(status))
  if (isOver(campaign) && !isFollowed) return 'has rows that do not follow it'
  if (rows.some(({ status }) => status === 'scheduled')) return null
  if (campaign.status !== 'completed') return `is ${campaign.status}`
  const scopes = await stores.calls.listScopes()
  return scopes.includes(campaignScope(campaignId)) ? 'is still looked after' : null
}
