/** One dial of one call order: spec 2.10 and 3.2. */

import type { Person } from '../assistant.ts'
import type { SpeechEvent, TranscriptEntry } from '../transcript.ts'

export const CALL_ATTEMPT_STATUSES = ['queued', 'ringing', 'ongoing', 'completed', 'error'] as const
export type CallAttemptStatus = (typeof CALL_ATTEMPT_STATUSES)[number]

export const ATTEMPT_RESULTS = [
  'IVR',
  'voicemail',
  'human',
  'unknown',
  'handset-screening-filter',
] as const
export type AttemptResult = (typeof ATTEMPT_RESULTS)[number]

export const DIAL_ERRORS = [
  'number_non_attributed',
  'too_many_calls',
  'busy',
  'temporarily_unavailable',
  'no_answer',
  'no_international_permission',
  'precondition_failed',
  'non_classified_error',
] as const
export type DialError = (typeof DIAL_ERRORS)[number]

export const END_REASONS = [
  'client_initiated',
  'connection_timeout',
  'human_takeover',
  'ivr_no_navigate',
  'max_duration',
  'participant_removed',
  'tool_end_call',
  'transfer',
  'user_inactive',
  'user_rejected',
  'user_unavailable',
  'voicemail',
  'speed_dial_abandoned',
  'speed_dial_operator_missed',
  'speed_dial_timeout',
  'speed_dial_hangup',
] as const
export type EndReason = (typeof END_REASONS)[number]

export const ENDED_BY = ['agent', 'user', 'system'] as const
export type EndedBy = (typeof ENDED_BY)[number]

/** A unit of capacity that this attempt holds; given back when it ends. */
export interface HeldPermit {
  readonly scope: string
  readonly shard: number
}

/** All times are epoch ms. */
export interface CallAttempt {
  readonly id: string
  readonly orderId: string
  readonly organizationId: string
  /** From 1. */
  readonly number: number
  /** Optimistic lock: every save raises it by one. */
  readonly version: number
  readonly phoneNumber: string
  readonly fromPhoneNumber: string
  readonly status: CallAttemptStatus
  readonly result: AttemptResult | null
  readonly dialError: DialError | null
  readonly permits: readonly HeldPermit[]
  readonly admittedAt: number
  /** Set by the claim, before the carrier is asked: whoever set it is the only one who may dial. */
  readonly dialStartedAt: number | null
  readonly dialOwner: string | null
  readonly carrierCallId: string | null
  readonly ringingAt: number | null
  readonly answeredAt: number | null
  readonly endedAt: number | null
  /** Which media session owns the call; a report with a lower fence is stale. */
  readonly fence: number
  /** Null exactly when the attempt has ended. Past it, whoever held the attempt is taken for dead. */
  readonly leaseUntil: number | null
  readonly handledByAi: boolean
  readonly handledByHuman: boolean
  readonly handledByUser: Person | null
  readonly assistantsUsed: readonly string[] | null
  readonly endReason: EndReason | null
  readonly endedBy: EndedBy | null
  /** Where the recording is stored; a signed URL is minted at read. */
  readonly recordingKey: string | null
  readonly transcript: readonly TranscriptEntry[]
  readonly speechEvents: readonly SpeechEvent[]
  readonly structuredOutput: Readonly<Record<string, unknown>> | null
  /** Set once outcome and structured output were computed (or found impossible). */
  readonly concludedAt: number | null
}

export function isLive(attempt: CallAttempt): boolean {
  return attempt.endedAt === null
}
