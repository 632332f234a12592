import * as z from 'zod'

import type { AssistantSettings } from '#shared/domain/assistant.ts'

import { assistantFields } from './assistant-fields.ts'
import { ASSISTANT_DEFAULTS, faqItemsIn } from './assistant.ts'
import { reducedLlmModelSchema } from './llm-model.ts'
import { phoneNumber, recordId, timestampIn } from './scalars.ts'
import { reducedStructuredOutputFieldSchema } from './structured-output-field.ts'
import { reducedVoiceSchema } from './voice.ts'
import { camelKeys } from './wire-case.ts'

/** An assistant that exists for one call only: the reduced shape of spec 4.4. */
export const inlineAssistantSchema = z
  .strictObject({
    prompt: assistantFields.prompt,
    background_sound: assistantFields.background_sound,
    scheduling: assistantFields.scheduling,
    call_retry_config: assistantFields.call_retry_config,
    end_of_call_sentence: assistantFields.end_of_call_sentence,
    faq_items: faqItemsIn,
    first_sentence: assistantFields.first_sentence,
    first_sentence_delay_ms: assistantFields.first_sentence_delay_ms,
    first_sentence_mode: assistantFields.first_sentence_mode,
    ivr_navigation_enabled: assistantFields.ivr_navigation_enabled,
    llm_model: reducedLlmModelSchema,
    max_call_duration_secs: assistantFields.max_call_duration_secs,
    structured_output_config: z.array(reducedStructuredOutputFieldSchema).nullable(),
    transfer_phone_number: assistantFields.transfer_phone_number,
    voice: reducedVoiceSchema.nullable(),
    voicemail_message: assistantFields.voicemail_message,
    webhook_url: assistantFields.webhook_url,
  })
  .partial()
  .required({ prompt: true })

const textMap = z.record(z.string(), z.string())

/** Spec 4.4, POST /call. `assistant` is used when `assistant_id` is absent. */
export const createCallBody = z
  .strictObject({
    phone_number: phoneNumber,
    assistant_id: recordId.optional(),
    assistant: inlineAssistantSchema.optional(),
    concurrency: z
      .strictObject({ key: z.string().min(1).max(128), max: z.int().min(1) })
      .optional(),
    force_now: z.boolean().optional(),
    from_phone_number: phoneNumber.optional(),
    metadata: textMap.optional(),
    prompt_variables: textMap.optional(),
    scheduled_at: timestampIn.nullish(),
  })
  .refine((body) => body.assistant_id !== undefined || body.assistant !== undefined, {
    path: ['assistant_id'],
    error: 'Name a stored assistant here, or give one in /assistant',
    params: { code: 'required' },
  })
export type CreateCallBody = z.output<typeof createCallBody>

/** The settings an inline assistant is run with. */
export function inlineSettings(
  assistant: z.output<typeof inlineAssistantSchema>,
): Omit<AssistantSettings, 'faqItems'> {
  const { faq_items: _, ...settings } = { ...ASSISTANT_DEFAULTS, ...assistant }
  return { name: 'Inline assistant', ...camelKeys(settings) }
}
