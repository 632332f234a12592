import type { Campaign } from '#shared/domain/campaign/campaign.ts'
import { campaignScope } from '#shared/domain/scope.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { applyToCampaign, type CampaignPorts } from './apply-to-campaign.ts'

/** A step of the work on a campaign takes seconds; one that is silent for longer has died. */
const STEP_GRACE_MS = 300_000

export type SettlePorts = CampaignPorts & Pick<ServicePorts, 'calls'>

/**
 * Completes a campaign whose rows are all done. Once nothing of it waits for anything, the sweep
 * need not look at it any more.
 */
export async function settleCampaign(ports: SettlePorts, campaignId: string): Promise<void> {
  // The counters are read after the campaign: rows that they lack cannot count as imported.
  const { campaign } = await applyToCampaign(ports, campaignId, async () => ({
    type: 'rowsChanged',
    stats: await ports.calls.rowStats(campaignId),
  }))
  if (campaign?.status !== 'completed' || hasWork(campaign)) return
  const scope = campaignScope(campaignId)
  if ((await ports.calls.nextDueAt(scope)) !== null) return
  await ports.calls.unregisterScope(scope)
  // Whoever deleted it in this moment had the scope registered before it was forgotten.
  const left = await ports.campaigns.find(campaignId)
  if (left !== null && hasWork(left)) await ports.calls.registerScope(scope)
}

/** The sweep's look at a campaign: whatever was lost on the way is begun again. */
export async function tendCampaign(ports: SettlePorts, campaignId: string): Promise<void> {
  const campaign = await ports.campaigns.find(campaignId)
  if (campaign === null) return ports.calls.unregisterScope(campaignScope(campaignId))
  const now = ports.clock.now()
  if (hasWork(campaign) && campaign.updatedAt <= now - STEP_GRACE_MS) {
    await ports.queues.send('import', { campaignId }, { group: campaignScope(campaignId) })
  }
  if (campaign.status === 'draft') {
    await applyToCampaign(ports, campaignId, () => ({ type: 'due' }))
  }
  await settleCampaign(ports, campaignId)
}

/** Whether contacts must still become rows, rows follow a change, or everything be erased. */
export function hasWork(campaign: Campaign): boolean {
  return campaign.rowsToFollow !== null || !campaign.isImported || campaign.deletedAt !== null
}
