import type { Assistant } from '#shared/domain/assistant.ts'
import type { Campaign, RowStats } from '#shared/domain/campaign/campaign.ts'
import { shownRowStats } from '#shared/domain/campaign/row-stats.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

export interface FoundCampaign {
  readonly campaign: Campaign
  readonly stats: RowStats
}

/** One campaign with its assistant; null also for another organization's id, and a deleted one. */
export async function findCampaign(
  ports: Pick<ServicePorts, 'campaigns' | 'calls' | 'assistants'>,
  input: { readonly organizationId: string; readonly campaignId: string },
): Promise<(FoundCampaign & { readonly assistant: Assistant | null }) | null> {
  const campaign = await findOwnCampaign(ports, input)
  if (campaign === null) return null
  const { organizationId, assistantId, assistantVersion } = campaign
  const [found, assistant] = await Promise.all([
    withStats(ports, campaign),
    ports.assistants
      .find(organizationId, assistantId)
      .then((current) => current ?? ports.assistants.findVersion(assistantId, assistantVersion)),
  ])
  return { ...found, assistant }
}

/** A page of an organization's campaigns, newest first. */
export async function listCampaigns(
  ports: Pick<ServicePorts, 'campaigns' | 'calls'>,
  organizationId: string,
  page: { readonly limit: number; readonly cursor: string | null },
): Promise<{ readonly campaigns: readonly FoundCampaign[]; readonly nextCursor: string | null }> {
  const { campaigns, nextCursor } = await ports.campaigns.list(organizationId, page)
  const found = await Promise.all(campaigns.map((campaign) => withStats(ports, campaign)))
  return { campaigns: found, nextCursor }
}

/** A campaign that its organization can see. */
export async function findOwnCampaign(
  ports: Pick<ServicePorts, 'campaigns'>,
  input: { readonly organizationId: string; readonly campaignId: string },
): Promise<Campaign | null> {
  const campaign = await ports.campaigns.find(input.campaignId)
  const isVisible = campaign?.organizationId === input.organizationId && campaign.deletedAt === null
  return isVisible ? campaign : null
}

async function withStats(
  ports: Pick<ServicePorts, 'calls'>,
  campaign: Campaign,
): Promise<FoundCampaign> {
  return { campaign, stats: shownRowStats(await ports.calls.rowStats(campaign.id), campaign) }
}
