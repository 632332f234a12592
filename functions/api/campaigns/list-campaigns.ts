import { ok } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { campaignToWire } from '#shared/contract/campaign-to-wire.ts'
import { writePageCursor } from '#shared/contract/page.ts'
import { listCampaigns } from '#shared/use-cases/find-campaigns.ts'

type Ports = Parameters<typeof listCampaigns>[0]

/** GET /campaigns */
export const listCampaignsOperation: Operation<Ports, 'listCampaigns'> = async (
  ports,
  { caller, query },
) => {
  const { campaigns, nextCursor } = await listCampaigns(ports, caller.organizationId, query)
  return ok({
    campaigns: campaigns.map(campaignToWire),
    next_cursor: nextCursor && writePageCursor(nextCursor),
  })
}
