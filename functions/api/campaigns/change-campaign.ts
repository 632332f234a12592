import { ok, refused } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import {
  cancelCampaign,
  deleteCampaign,
  pauseCampaign,
  resumeCampaign,
} from '#shared/use-cases/change-campaign.ts'

type Change = typeof pauseCampaign
type ChangeOperation = Operation<
  Parameters<Change>[0],
  'pauseCampaign' | 'resumeCampaign' | 'cancelCampaign' | 'deleteCampaign'
>

function changeOperation(change: Change): ChangeOperation {
  return async (ports, { caller, params }) => {
    const result = await change(ports, {
      organizationId: caller.organizationId,
      campaignId: params.id,
    })
    switch (result.kind) {
      case 'done':
        return ok({ success: true })
      case 'not_found':
        return refused('not_found', 'There is no campaign with this id')
      case 'conflict':
        return refused('state_conflict', result.reason)
    }
  }
}

/** POST /campaigns/{id}/pause */
export const pauseCampaignOperation = changeOperation(pauseCampaign)
/** POST /campaigns/{id}/resume */
export const resumeCampaignOperation = changeOperation(resumeCampaign)
/** POST /campaigns/{id}/cancel */
export const cancelCampaignOperation = changeOperation(cancelCampaign)
/** DELETE /campaigns/{id} */
export const deleteCampaignOperation = changeOperation(deleteCampaign)
