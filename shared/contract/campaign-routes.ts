/** The operations on campaigns: spec 4.2, decisions 2 and 5. */

import * as z from 'zod'

import { campaignForecastSchema, forecastCampaignBody } from './campaign-forecast.ts'
import {
  CAMPAIGN_BODY_BYTES_MAX,
  campaignRowsAnswer,
  campaignRowsQuery,
  campaignSchema,
  campaignUploadSchema,
  createCampaignBody,
} from './campaign.ts'
import { contactErrorsAnswer, contactErrorsQuery } from './contact-errors.ts'
import { nextCursor, pageQuery } from './page.ts'
import { idParam, noParams, success } from './route-parts.ts'
import type { Route } from './route.ts'

const campaigns = {
  path: '/campaigns',
  group: 'campaigns',
  auth: 'key',
  params: noParams,
} as const

const oneCampaign = { ...campaigns, path: '/campaigns/{id}', params: idParam } as const

const campaignAction = {
  ...oneCampaign,
  method: 'POST',
  scope: 'campaigns:write',
  body: null,
  response: success,
} as const

const campaignAnswer = z.strictObject({ campaign: campaignSchema })

export const campaignRoutes = {
  createCampaign: {
    ...campaigns,
    method: 'POST',
    scope: 'campaigns:write',
    rate: 'campaigns',
    largeBody: { bytesMax: CAMPAIGN_BODY_BYTES_MAX, beyond: 'use_upload' },
    body: createCampaignBody,
    response: campaignAnswer,
  },
  listCampaigns: {
    ...campaigns,
    method: 'GET',
    scope: 'campaigns:read',
    query: pageQuery,
    body: null,
    response: z.strictObject({ campaigns: z.array(campaignSchema), next_cursor: nextCursor }),
  },
  createCampaignUpload: {
    ...campaigns,
    method: 'POST',
    path: '/campaigns/uploads',
    scope: 'campaigns:write',
    body: null,
    response: z.strictObject({ upload: campaignUploadSchema }),
  },
  forecastCampaign: {
    ...campaigns,
    method: 'POST',
    path: '/campaigns/forecast',
    scope: 'campaigns:read',
    largeBody: { bytesMax: CAMPAIGN_BODY_BYTES_MAX, beyond: 'use_upload' },
    body: forecastCampaignBody,
    response: z.strictObject({ forecast: campaignForecastSchema }),
  },
  getCampaign: {
    ...oneCampaign,
    method: 'GET',
    scope: 'campaigns:read',
    body: null,
    response: campaignAnswer,
  },
  deleteCampaign: {
    ...oneCampaign,
    method: 'DELETE',
    scope: 'campaigns:write',
    body: null,
    response: success,
  },
  cancelCampaign: { ...campaignAction, path: '/campaigns/{id}/cancel' },
  pauseCampaign: { ...campaignAction, path: '/campaigns/{id}/pause' },
  resumeCampaign: { ...campaignAction, path: '/campaigns/{id}/resume' },
  exportContactErrors: {
    ...oneCampaign,
    method: 'GET',
    path: '/campaigns/{id}/contact-errors',
    scope: 'campaigns:read',
    query: contactErrorsQuery,
    body: null,
    response: contactErrorsAnswer,
  },
  listCampaignRows: {
    ...oneCampaign,
    method: 'GET',
    path: '/campaigns/{id}/rows',
    scope: 'campaigns:read',
    query: campaignRowsQuery,
    body: null,
    response: campaignRowsAnswer,
  },
} as const satisfies Record<string, Route>
