import { isOver } from '#shared/domain/campaign/campaign.ts'
import { campaignScope } from '#shared/domain/scope.ts'
import type { Stores } from '#shared/ports/service-ports.ts'
import { hasWork } from '#shared/use-cases/settle-campaign.ts'

/** Why a campaign is not at rest, or null when nothing more will happen to it. */
export async function unrestOf(stores: Stores, campaignId: string): Promise<string | null> {
  const campaign = await stores.campaigns.find(campaignId)
  if (campaign === null) return null
  if (hasWork(campaign)) return 'has rows to work on'
  if (campaign.status === 'paused' && !isOver(campaign)) return null
  if (campaign.status !== 'completed') return `is ${campaign.status}`
  const scopes = await stores.calls.listScopes()
  return scopes.includes(campaignScope(campaignId)) ? 'is still looked after' : null
}
