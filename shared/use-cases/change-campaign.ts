import type { CampaignEvent } from '#shared/domain/campaign/decide.ts'
import { campaignScope } from '#shared/domain/scope.ts'

import { applyToCampaign } from './apply-to-campaign.ts'
import type { OwnerChangeResult } from './change-order.ts'
import { settleCampaign, type SettlePorts } from './settle-campaign.ts'

interface CampaignOfOwner {
  readonly organizationId: string
  readonly campaignId: string
}

/**
 * One write stops the dialling: whoever is about to admit or to dial reads the campaign first. The
 * rows are marked afterwards, in the background. Calls in progress go on to their end.
 */
export async function pauseCampaign(
  ports: SettlePorts,
  target: CampaignOfOwner,
): Promise<OwnerChangeResult> {
  return change(ports, target, { type: 'pause' })
}

/** Lets a paused campaign go on; its rows are planned afresh. */
export async function resumeCampaign(
  ports: SettlePorts,
  target: CampaignOfOwner,
): Promise<OwnerChangeResult> {
  return change(ports, target, { type: 'resume' })
}

/** Like a pause, for good: what waits is cancelled, and nothing is retried (spec 3.3). */
export async function cancelCampaign(
  ports: SettlePorts,
  target: CampaignOfOwner,
): Promise<OwnerChangeResult> {
  const result = await change(ports, target, { type: 'cancel' })
  if (result.kind === 'done') await settleCampaign(ports, target.campaignId)
  return result
}

/** Hides a campaign at once and erases it with its rows. Calls that were made are kept. */
export async function deleteCampaign(
  ports: SettlePorts,
  target: CampaignOfOwner,
): Promise<OwnerChangeResult> {
  return change(ports, target, { type: 'delete' })
}

async function change(
  ports: SettlePorts,
  { organizationId, campaignId }: CampaignOfOwner,
  event: CampaignEvent,
): Promise<OwnerChangeResult> {
  const result = await applyToCampaign(ports, campaignId, (campaign) =>
    campaign.organizationId === organizationId && campaign.deletedAt === null ? event : null,
  )
  if (result.kind === 'changed') {
    await ports.queues.send('import', { campaignId }, { group: campaignScope(campaignId) })
    return { kind: 'done' }
  }
  const { campaign, reason } = result
  return campaign?.organizationId === organizationId && campaign.deletedAt === null
    ? { kind: 'conflict', reason: `The campaign is ${reason}.` }
    : { kind: 'not_found' }
}
