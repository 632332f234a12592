import * as z from 'zod'

import {
  ATTEMPT_RESULTS,
  CALL_ATTEMPT_STATUSES,
  DIAL_ERRORS,
  END_REASONS,
  ENDED_BY,
} from '#shared/domain/call-attempt/attempt.ts'
import { SPEAKERS, TRANSCRIPT_ROLES } from '#shared/domain/transcript.ts'

import { personSchema } from './assistant.ts'
import { timestampOut } from './scalars.ts'

const anyMap = z.record(z.string(), z.unknown())

export const transcriptEntrySchema = z.strictObject({
  role: z.enum(TRANSCRIPT_ROLES),
  content: z.string(),
  tool_arguments: z.union([anyMap, z.string()]).nullable(),
  tool_is_error: z.boolean().nullable(),
  tool_name: z.string().nullable(),
  tool_output: z.string().nullable(),
})

export const speechEventSchema = z.strictObject({
  id: z.string(),
  is_real_turn: z.boolean(),
  speaker: z.enum(SPEAKERS),
  started_speaking_at_ms: z.number(),
  stopped_speaking_at_ms: z.number().nullable(),
  transcript: z.string(),
  stt_transcription_delay_ms: z.number().nullable(),
  llm_system_prompt: z.string().nullable(),
  llm_ttft_ms: z.number().nullable(),
  llm_winner_model: z.string().nullable(),
  tts_ttfb_ms: z.number().nullable(),
  was_cut: z.boolean().nullable(),
})

const emailLogEntry = z.strictObject({
  id: z.string(),
  created_at: timestampOut,
  from_address: z.string(),
  email_service_message_id: z.string(),
  subject: z.string(),
  to_emails: z.array(z.string()),
})

const smsLogEntry = z.strictObject({
  id: z.string(),
  created_at: timestampOut,
  message_body: z.string(),
  provider: z.enum(['sms_provider_1', 'sms_provider_2']),
  provider_error_code: z.number().nullable(),
  provider_message_id: z.string(),
  provider_status: z.string().nullable(),
  to_phone_number: z.string(),
  type: z.enum(['in_call', 'voicemail', 'after_call']),
})

/** Spec 2.10. Every field is always there; null where there is nothing to say (yet). */
export const callAttemptSchema = z.strictObject({
  id: z.string(),
  phone_number: z.string(),
  status: z.enum(CALL_ATTEMPT_STATUSES),
  result: z.enum(ATTEMPT_RESULTS).nullable(),
  dial_error: z.enum(DIAL_ERRORS).nullable(),
  recording_url: z.string().nullable(),
  started_at: timestampOut.nullable(),
  answered_at: timestampOut.nullable(),
  ended_at: timestampOut.nullable(),
  handled_by_ai: z.boolean(),
  handled_by_human: z.boolean(),
  handled_by_user: personSchema.nullable(),
  assistants_used: z.array(z.string()).nullable(),
  end_reason: z.enum(END_REASONS).nullable(),
  ended_by: z.enum(ENDED_BY).nullable(),
  structured_output: anyMap.nullable(),
  transcript: z.array(transcriptEntrySchema),
  post_call_transcript: z.array(transcriptEntrySchema).nullable(),
  email_log: z.array(emailLogEntry),
  sms_log: z.array(smsLogEntry),
  speech_events: z.array(speechEventSchema),
})
export type CallAttemptWire = z.output<typeof callAttemptSchema>
