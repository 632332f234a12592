import { isOver, type Campaign } from '#shared/domain/campaign/campaign.ts'

import { applyToCampaign, type CampaignPorts } from './apply-to-campaign.ts'

/** Whether the orders of a campaign may be called at this moment. */
export type CampaignGate =
  | { readonly kind: 'open'; readonly campaign: Campaign }
  /** Paused, or its time has not come. */
  | { readonly kind: 'closed'; readonly campaign: Campaign }
  /** Cancelled, deleted or gone: what waits is not called any more. */
  | { readonly kind: 'over'; readonly campaign: Campaign | null }

/** Reads the campaign as it is now; one whose time has come begins to run by it. */
export async function campaignGate(
  ports: CampaignPorts,
  campaignId: string,
): Promise<CampaignGate> {
  const found = await ports.campaigns.find(campaignId)
  const campaign =
    found?.status === 'draft'
      ? (await applyToCampaign(ports, campaignId, () => ({ type: 'due' }))).campaign
      : found
  if (campaign === null || isOver(campaign)) return { kind: 'over', campaign }
  // A completed one has no waiting orders, unless one of them was resumed on its own.
  const isOpen = campaign.status === 'running' || campaign.status === 'completed'
  return { kind: isOpen ? 'open' : 'closed', campaign }
}
