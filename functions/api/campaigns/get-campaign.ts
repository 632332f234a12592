import { ok, refused } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { campaignToWire } from '#shared/contract/campaign-to-wire.ts'
import { findCampaign } from '#shared/use-cases/find-campaigns.ts'

type Ports = Parameters<typeof findCampaign>[0]

/** GET /campaigns/{id} */
export const getCampaignOperation: Operation<Ports, 'getCampaign'> = async (
  ports,
  { caller, params },
) => {
  const found = await findCampaign(ports, {
    organizationId: caller.organizationId,
    campaignId: params.id,
  })
  if (found === null) return refused('not_found', 'There is no campaign with this id')
  return ok({ campaign: campaignToWire(found) })
}
