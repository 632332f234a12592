import { ok } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { toIso } from '#shared/domain/time.ts'
import { offerCampaignUpload } from '#shared/use-cases/offer-campaign-upload.ts'

type Ports = Parameters<typeof offerCampaignUpload>[0]

/** POST /campaigns/uploads */
export const createCampaignUploadOperation: Operation<Ports, 'createCampaignUpload'> = async (
  ports,
  { caller },
) => {
  const { id, url, headers, expiresAt } = await offerCampaignUpload(ports, caller.organizationId)
  return ok({
    upload: { id, url, method: 'PUT', headers: { ...headers }, expires_at: toIso(expiresAt) },
  })
}
