import * as z from 'zod'

import { FAQ_SOURCES } from '#shared/domain/assistant.ts'
import { DEFAULT_LLM_MODEL } from '#shared/domain/llm-model.ts'

import { assistantFields } from './assistant-fields.ts'
import { crmASchema } from './assistant-links.ts'
import { timestampOut } from './scalars.ts'
import { reducedStructuredOutputFieldSchema } from './structured-output-field.ts'
import { voiceAnswerSchema } from './voice.ts'
import { snakeKeys } from './wire-case.ts'
import { withoutServerSet } from './without-server-set.ts'

const SERVER_SET = [
  'id',
  'organization_id',
  'created_at',
  'updated_at',
  'created_by',
  'pending_faq_count',
]

/** FAQ items as they come in: what the service adds to them is ignored when it is sent back. */
export const faqItemsIn = z.array(
  withoutServerSet(
    ['id', 'source', 'needs_human_answer'],
    z.strictObject({ answer: z.string(), question: z.string() }),
  ),
)

/** Any subset of what an owner configures; also the shape of a PATCH (decisions 1). */
const assistantChange = z.strictObject({ ...assistantFields, faq_items: faqItemsIn }).partial()

/** Spec 4.1, POST /assistants. */
export const createAssistantBody = withoutServerSet(
  SERVER_SET,
  assistantChange.required({ name: true, prompt: true }),
)
export type CreateAssistantBody = z.output<typeof createAssistantBody>

/** Spec 4.1, PATCH /assistants/{id}: what is absent stays. */
export const updateAssistantBody = withoutServerSet(SERVER_SET, assistantChange)
export type UpdateAssistantBody = z.output<typeof updateAssistantBody>

/** Spec 4.1: calls that a PATCH does not reach, and the variables that they lack (decisions 2). */
export const unpatchedCallsNotice = z.strictObject({
  count: z.number(),
  variables: z.array(z.string()),
})

/**
 * What a new assistant is where its creator says nothing. The specification gives
 * `first_sentence_delay_ms`; the others are this service's choice.
 */
export const ASSISTANT_DEFAULTS = {
  type: 'standalone',
  prompt_flow: null,
  position: null,
  first_sentence: null,
  first_sentence_mode: 'generated',
  first_sentence_delay_ms: 400,
  end_of_call_sentence: null,
  max_call_duration_secs: 1800,
  max_duration_end_message: null,
  voicemail_message: null,
  voicemail_sms_prompt: null,
  after_call_sms_outcomes: null,
  after_call_sms_prompt: null,
  sms_enabled: false,
  sms_template: null,
  background_sound: null,
  background_sound_volume: 0.5,
  thinking_sound: null,
  thinking_sound_probability: 0.5,
  thinking_sound_volume: 0.5,
  voice: null,
  llm_model: snakeKeys(DEFAULT_LLM_MODEL),
  stt_model: 'stt-rt-v5',
  stt_context: null,
  tts_dictionary_pronunciation_id: null,
  ivr_navigation_enabled: false,
  human_transfer_mode: null,
  transfer_destinations: null,
  warm_transfer_summary_instructions: null,
  custom_tools: null,
  email_notification_address: null,
  email_notification_outcomes: null,
  webhook_url: null,
  structured_output_config: null,
  structured_output_prompt: null,
  from_phone_number: null,
  call_retry_config: null,
  scheduling: null,
  crm_a: null,
  chat: null,
  crm_b: null,
  precall_lookup_url: null,
  logo_url: null,
  faq_items: [],
  is_inbound_receptionist: false,
  is_realestate_assistant: false,
} satisfies Partial<CreateAssistantBody>

/** A member of the organization as other records show it. */
export const personSchema = z.strictObject({
  id: z.string(),
  email: z.string(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
})

/** Spec 2.1, as it is answered. */
export const assistantSchema = z.strictObject({
  ...assistantFields,
  voice: voiceAnswerSchema.nullable(),
  /** That of a call's own assistant may have fields without a name. */
  structured_output_config: z.array(reducedStructuredOutputFieldSchema).nullable(),
  crm_a: crmASchema.extend({ meeting_links: z.array(z.unknown()).readonly() }).nullable(),
  transfer_phone_number: assistantFields.transfer_phone_number.optional(),
  is_inbound_receptionist: z.boolean().optional(),
  is_realestate_assistant: z.boolean().optional(),
  faq_items: z.array(
    z.strictObject({
      id: z.string(),
      question: z.string(),
      answer: z.string(),
      needs_human_answer: z.boolean(),
      source: z.enum(FAQ_SOURCES),
    }),
  ),
  id: z.string(),
  organization_id: z.string(),
  pending_faq_count: z.number(),
  created_by: personSchema.nullable(),
  created_at: timestampOut,
  updated_at: timestampOut,
})
export type AssistantWire = z.output<typeof assistantSchema>
