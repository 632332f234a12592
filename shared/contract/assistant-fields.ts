import * as z from 'zod'

import {
  ASSISTANT_TYPES,
  BACKGROUND_SOUNDS,
  FIRST_SENTENCE_MODES,
  HUMAN_TRANSFER_MODES,
  STT_MODELS,
  THINKING_SOUNDS,
} from '#shared/domain/assistant.ts'

import {
  chatSchema,
  crmASchema,
  crmBSchema,
  outcomeSelectors,
  schedulingSchema,
} from './assistant-links.ts'
import { callRetryConfigSchema } from './call-retry-config.ts'
import { customToolsSchema } from './custom-tools.ts'
import { llmModelSchema } from './llm-model.ts'
import { emailList, phoneNumber, textUpTo, webUrl } from './scalars.ts'
import { structuredOutputFieldSchema } from './structured-output-field.ts'
import { voiceSchema } from './voice.ts'

const text = z.string()
const nullableText = text.nullable()
const share = z.number().min(0).max(1)
const point = z.strictObject({ x: z.number(), y: z.number() })

const promptFlow = z.strictObject({
  edges: z.array(z.strictObject({ id: text, source: text, target: text })),
  nodes: z.array(
    z.strictObject({
      id: text,
      data: z.strictObject({ body: text, title: text }),
      position: point,
      type: z.literal('promptBlock'),
    }),
  ),
})

const sttContext = z.strictObject({
  general: z
    .array(z.strictObject({ key: z.string().min(1), value: z.string().min(1) }))
    .default([]),
  terms: z.array(text).default([]),
})

const transferDestination = z.strictObject({
  label: textUpTo(60, z.string().min(1)),
  phone_number: phoneNumber,
})

/** The longest wait before the first sentence that makes sense on a phone. */
const FIRST_SENTENCE_DELAY_MAX_MS = 60_000
const CALL_DURATION_MAX_SECS = 14_400

/**
 * What the owner of an assistant configures (spec 2.1), but for the FAQ, whose items differ between
 * request and answer. No field has a default here: a PATCH is made of the same fields and must
 * change nothing that it does not name. Objects inside fill their own gaps, for they replace whole.
 */
export const assistantFields = {
  name: text,
  type: z.enum(ASSISTANT_TYPES),
  prompt: text,
  prompt_flow: promptFlow.nullable(),
  position: point.nullable(),
  first_sentence: nullableText,
  first_sentence_mode: z.enum(FIRST_SENTENCE_MODES),
  first_sentence_delay_ms: z.number().min(0).max(FIRST_SENTENCE_DELAY_MAX_MS),
  end_of_call_sentence: nullableText,
  max_call_duration_secs: z.number().min(1).max(CALL_DURATION_MAX_SECS),
  max_duration_end_message: textUpTo(150).nullable(),
  voicemail_message: nullableText,
  voicemail_sms_prompt: nullableText,
  after_call_sms_outcomes: outcomeSelectors.nullable(),
  after_call_sms_prompt: nullableText,
  sms_enabled: z.boolean(),
  sms_template: nullableText,
  background_sound: z.enum(BACKGROUND_SOUNDS).nullable(),
  background_sound_volume: share,
  thinking_sound: z.enum(THINKING_SOUNDS).nullable(),
  thinking_sound_probability: share,
  thinking_sound_volume: share,
  voice: voiceSchema.nullable(),
  llm_model: llmModelSchema,
  stt_model: z.enum(STT_MODELS),
  stt_context: sttContext.nullable(),
  tts_dictionary_pronunciation_id: nullableText,
  ivr_navigation_enabled: z.boolean(),
  human_transfer_mode: z.enum(HUMAN_TRANSFER_MODES).nullable(),
  transfer_destinations: z.array(transferDestination).nullable(),
  transfer_phone_number: phoneNumber,
  warm_transfer_summary_instructions: nullableText,
  custom_tools: customToolsSchema.nullable(),
  email_notification_address: emailList.nullable(),
  email_notification_outcomes: outcomeSelectors.nullable(),
  webhook_url: webUrl.nullable(),
  structured_output_config: z.array(structuredOutputFieldSchema).nullable(),
  structured_output_prompt: nullableText,
  from_phone_number: phoneNumber.nullable(),
  call_retry_config: callRetryConfigSchema.nullable(),
  scheduling: schedulingSchema.nullable(),
  crm_a: crmASchema.nullable(),
  chat: chatSchema.nullable(),
  crm_b: crmBSchema.nullable(),
  precall_lookup_url: webUrl.nullable(),
  logo_url: webUrl.nullable(),
  is_inbound_receptionist: z.boolean(),
  is_realestate_assistant: z.boolean(),
}
