/** Where an assistant is connected to the customer's other systems: spec 2.1. */

import * as z from 'zod'

import { OUTCOME_SELECTORS } from '#shared/domain/assistant.ts'

import { recordId } from './scalars.ts'

export const outcomeSelectors = z.array(z.enum(OUTCOME_SELECTORS))

export const schedulingSchema = z.strictObject({
  connection_id: recordId,
  event_type_id: z.string(),
})

/** The specification leaves the items of `meeting_links` open; decisions 2 says what they are. */
const meetingLink = z.union([
  z.string(),
  z.strictObject({ id: z.string(), name: z.string(), url: z.string() }),
])

export const crmASchema = z.strictObject({
  connection_id: recordId,
  meeting_links: z.array(meetingLink).default([]),
  precall_lookup_enabled: z.boolean().default(false),
})

export const chatSchema = z.strictObject({
  channels: z.array(z.strictObject({ id: z.string(), name: z.string().nullish() })),
  connection_id: recordId,
  outcomes: outcomeSelectors,
  template: z.string().nullish(),
})

export const crmBSchema = z.strictObject({
  connection_id: recordId,
  field_mapping: z
    .array(z.strictObject({ source: z.string().min(1), crm_field: z.string().min(1) }))
    .default([]),
  log_call_activity: z.boolean().default(false),
  module: z.string().min(1),
  outcomes: outcomeSelectors,
  template: z.string().nullish(),
})
