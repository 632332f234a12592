import { compose } from '#functions/compose.ts'
import { httpHandler, type Operations } from '#functions/middleware/http.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import {
  cancelCampaignOperation,
  deleteCampaignOperation,
  pauseCampaignOperation,
  resumeCampaignOperation,
} from './change-campaign.ts'
import { createCampaignUploadOperation } from './create-campaign-upload.ts'
import { createCampaignOperation } from './create-campaign.ts'
import { getCampaignOperation } from './get-campaign.ts'
import { listCampaignRowsOperation } from './list-campaign-rows.ts'
import { listCampaignsOperation } from './list-campaigns.ts'

export const campaignOperations: Operations<ServicePorts, 'campaigns'> = {
  createCampaign: createCampaignOperation,
  listCampaigns: listCampaignsOperation,
  createCampaignUpload: createCampaignUploadOperation,
  getCampaign: getCampaignOperation,
  deleteCampaign: deleteCampaignOperation,
  cancelCampaign: cancelCampaignOperation,
  pauseCampaign: pauseCampaignOperation,
  resumeCampaign: resumeCampaignOperation,
  listCampaignRows: listCampaignRowsOperation,
}

export const handler = httpHandler(campaignOperations, compose)
