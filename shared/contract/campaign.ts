/** Campaigns and their rows: spec 2.7, 2.8 and 4.2. */

import * as z from 'zod'

import { ATTEMPT_RESULTS } from '#shared/domain/call-attempt/attempt.ts'
import { CALL_ORDER_STATUSES } from '#shared/domain/call-order/order.ts'
import { CAMPAIGN_STATUSES } from '#shared/domain/campaign/campaign.ts'
import type { RowFilter } from '#shared/domain/campaign/row-filter.ts'

import { assistantSchema } from './assistant.ts'
import { callOrderSchema } from './call-order.ts'
import { callRetryConfigSchema } from './call-retry-config.ts'
import { phoneNumber, queryNumber, recordId, timestampIn, timestampOut } from './scalars.ts'

/** More of them have to be uploaded (decisions 2). */
export const CONTACTS_MAX = 40_000

/** What a Lambda function takes. */
export const CAMPAIGN_BODY_BYTES_MAX = 6_000_000

const textMap = z.record(z.string(), z.string())

/** A number that nobody can call does not spoil the list: its row says so (decisions 2). */
export const contactSchema = z.strictObject({
  prompt_variables: textMap.default({}),
  to_phone_number: z.string(),
})

/** Spec 4.2, POST /campaigns; `contacts_upload_id` replaces `contacts` (decisions 2). */
export const createCampaignBody = z
  .strictObject({
    assistant_id: recordId,
    contacts: z.array(contactSchema).optional(),
    contacts_upload_id: recordId.optional(),
    name: z.string(),
    call_retry_config: callRetryConfigSchema.optional(),
    from_phone_number: phoneNumber.optional(),
    max_concurrent_calls: z.int().min(1).optional(),
    scheduled_at: timestampIn.nullish(),
  })
  .refine((body) => body.contacts !== undefined || body.contacts_upload_id !== undefined, {
    path: ['contacts'],
    error: 'Give contacts here, or name an upload in /contacts_upload_id',
    params: { code: 'required' },
  })
  .refine((body) => body.contacts === undefined || body.contacts_upload_id === undefined, {
    path: ['contacts_upload_id'],
    error: 'Contacts come from one place only',
    params: { code: 'contradicts_contacts' },
  })
export type CreateCampaignBody = z.output<typeof createCampaignBody>

const rowStatsSchema = z.strictObject({
  calling: z.number(),
  completed: z.number(),
  failed: z.number(),
  pending: z.number(),
  retry: z.number(),
  total: z.number(),
})

/** Spec 2.7. What is optional there is absent where nothing was said; lists leave `assistant` out. */
export const campaignSchema = z.strictObject({
  id: z.string(),
  assistant_id: z.string(),
  name: z.string(),
  organization_id: z.string(),
  status: z.enum(CAMPAIGN_STATUSES),
  is_cancelled: z.boolean(),
  created_at: timestampOut,
  updated_at: timestampOut,
  assistant: assistantSchema.optional(),
  call_retry_config: callRetryConfigSchema.optional(),
  from_phone_number: z.string().optional(),
  max_concurrent_calls: z.number().optional(),
  scheduled_at: timestampOut.optional(),
  row_stats: rowStatsSchema.optional(),
})
export type CampaignWire = z.output<typeof campaignSchema>

/**
 * Spec 2.8, and beyond it `error`: why the row can never be called. `call` is left out of the last
 * rows of a page that would be too large for one answer.
 */
export const campaignRowSchema = z.strictObject({
  id: z.string(),
  input_data: textMap,
  phone_number: z.string(),
  row_index: z.number(),
  call: callOrderSchema.optional(),
  error: z.string().optional(),
})
export type CampaignRowWire = z.output<typeof campaignRowSchema>

const PAGE_SIZE_MAX = 1_000

/** Statuses separated by commas; a repeated parameter arrives like that too (decisions 2). */
const statusList = z
  .string()
  .transform((text) => (text === '' ? undefined : text.split(',').map((status) => status.trim())))
  .pipe(z.array(z.enum(CALL_ORDER_STATUSES)).optional())

/** Spec 4.2, GET /campaigns/{id}/rows. */
export const campaignRowsQuery = z.strictObject({
  page: queryNumber(z.int().min(1)),
  page_size: queryNumber(z.int().min(1).max(PAGE_SIZE_MAX)),
  query: z.string().max(200).optional(),
  result: z.enum([...ATTEMPT_RESULTS, 'all', 'none']).optional(),
  statuses: statusList.optional(),
})

export const campaignRowsAnswer = z.strictObject({
  page: z.number(),
  page_size: z.number(),
  rows: z.array(campaignRowSchema),
})

/** What a query asks for, as the domain says it. */
export function rowFilterOf(query: z.output<typeof campaignRowsQuery>): RowFilter {
  const { result = 'all', statuses } = query
  return {
    query: query.query === undefined || query.query === '' ? null : query.query,
    result: result === 'all' ? null : result,
    statuses: statuses === undefined ? null : new Set(statuses),
  }
}

/** Where a file of contacts, CSV or NDJSON, is PUT with these header fields (decisions 5). */
export const campaignUploadSchema = z.strictObject({
  id: z.string(),
  url: z.string(),
  method: z.literal('PUT'),
  headers: textMap,
  expires_at: timestampOut,
})
