import type { Campaign } from '#shared/domain/campaign/campaign.ts'
import { decideCampaign, type CampaignEvent } from '#shared/domain/campaign/decide.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { wakeScope } from './wake-scope.ts'

/** Somebody else may change the same campaign this often before a change gives up. */
const CONFLICTS_MAX = 8

export type CampaignPorts = Pick<
  ServicePorts,
  'campaigns' | 'wakes' | 'queues' | 'scheduler' | 'clock'
>

export type CampaignChange =
  | { readonly kind: 'changed'; readonly campaign: Campaign }
  | { readonly kind: 'ignored'; readonly reason: string; readonly campaign: Campaign | null }

/**
 * Applies one event to a campaign; it is decided again when somebody else was faster. What must
 * follow is asked for after the save: should that be lost, the sweep sees that it has not happened.
 */
export async function applyToCampaign(
  ports: CampaignPorts,
  campaignId: string,
  eventFor: (campaign: Campaign) => CampaignEvent | null | Promise<CampaignEvent | null>,
): Promise<CampaignChange> {
  for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
    const campaign = await ports.campaigns.find(campaignId)
    if (campaign === null) return { kind: 'ignored', reason: 'unknown campaign', campaign }
    const event = await eventFor(campaign)
    if (event === null) return { kind: 'ignored', reason: 'not asked for any more', campaign }
    const decision = decideCampaign(campaign, event, ports.clock.now())
    if (decision.kind === 'ignored') return { ...decision, campaign }
    const saved = await ports.campaigns.save({ before: campaign, after: decision.campaign })
    if (saved.kind === 'conflict') continue
    for (const effect of decision.effects) {
      if (effect.kind === 'wakeScope') await wakeScope(ports, effect.scope, effect.at)
    }
    return { kind: 'changed', campaign: decision.campaign }
  }
  throw new Error('A campaign was changed by others too often')
}
