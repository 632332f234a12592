import * as z from 'zod'

import { OUTCOMES } from '#shared/domain/assistant.ts'
import { CALL_ORDER_STATUSES } from '#shared/domain/call-order/order.ts'

import { assistantSchema, personSchema } from './assistant.ts'
import { callAttemptSchema } from './call-attempt.ts'
import { callRetryConfigSchema } from './call-retry-config.ts'
import { llmModelSchema } from './llm-model.ts'
import { timestampOut } from './scalars.ts'

const textMap = z.record(z.string(), z.string())

export const contactSchema = z.strictObject({
  company: z.string().nullable(),
  email: z.string().nullable(),
  first_name: z.string().nullable(),
  job_title: z.string().nullable(),
  last_name: z.string().nullable(),
})

/** Spec 2.9. Every field is always there; null where there is nothing to say (yet). */
export const callOrderSchema = z.strictObject({
  id: z.string(),
  assignee: personSchema.nullable(),
  assistant: assistantSchema,
  call_attempts: z.array(callAttemptSchema),
  last_call_attempt: callAttemptSchema.nullable(),
  calls_count: z.number(),
  call_retry_config: callRetryConfigSchema,
  campaign: z.strictObject({ id: z.string(), name: z.string() }).nullable(),
  contact: contactSchema,
  created_at: timestampOut,
  direction: z.enum(['inbound', 'outbound']),
  first_sentence_delay_ms: z.number(),
  from_phone_number: z.string().nullable(),
  to_phone_number: z.string(),
  is_cancelled: z.boolean(),
  is_completed: z.boolean(),
  llm_model: llmModelSchema,
  metadata: textMap,
  prompt_variables: textMap,
  organization_id: z.string(),
  scheduled_at: timestampOut.nullable(),
  status: z.enum(CALL_ORDER_STATUSES),
  updated_at: timestampOut,
  next_call_at: timestampOut.nullable(),
  callback_from: z.strictObject({ call_id: z.string(), created_at: timestampOut }).nullable(),
  cancel_reason: z.literal('prospect_called_back').nullable(),
  follow_up_emails: z.array(z.string()).nullable(),
  outcome: z.enum(OUTCOMES).nullable(),
  outcome_summary: z.string().nullable(),
  chat_channel_ids: z.array(z.string()).nullable(),
  visual_number: z.number().nullable(),
})
export type CallOrderWire = z.output<typeof callOrderSchema>
