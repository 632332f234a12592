import {
  assistants,
  calls,
  campaigns,
  compose,
  contactUploads,
  http,
  idempotency,
  organizations,
  queues,
  recordings,
  scheduler,
  wakes,
} from '#functions/compose.ts'
import { httpHandler } from '#functions/middleware/http.ts'
import { campaignRoutes } from '#shared/contract/campaign-routes.ts'

import {
  cancelCampaignOperation,
  deleteCampaignOperation,
  pauseCampaignOperation,
  resumeCampaignOperation,
} from './change-campaign.ts'
import { createCampaignUploadOperation } from './create-campaign-upload.ts'
import { createCampaignOperation } from './create-campaign.ts'
import { exportContactErrorsOperation } from './export-contact-errors.ts'
import { forecastCampaignOperation } from './forecast-campaign.ts'
import { getCampaignOperation } from './get-campaign.ts'
import { listCampaignRowsOperation } from './list-campaign-rows.ts'
import { listCampaignsOperation } from './list-campaigns.ts'

export const campaignHandler = httpHandler(campaignRoutes, {
  createCampaign: createCampaignOperation,
  listCampaigns: listCampaignsOperation,
  createCampaignUpload: createCampaignUploadOperation,
  forecastCampaign: forecastCampaignOperation,
  getCampaign: getCampaignOperation,
  deleteCampaign: deleteCampaignOperation,
  cancelCampaign: cancelCampaignOperation,
  pauseCampaign: pauseCampaignOperation,
  resumeCampaign: resumeCampaignOperation,
  exportContactErrors: exportContactErrorsOperation,
  listCampaignRows: listCampaignRowsOperation,
})

export const ports = compose({
  ...http,
  idempotency,
  assistants,
  calls,
  campaigns,
  contactUploads,
  organizations,
  queues,
  recordings,
  scheduler,
  wakes,
})
export const handler = campaignHandler(ports)
