import type { Assistant, AssistantSettings } from '#shared/domain/assistant.ts'
import type { CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { assistantIdOf } from '#shared/domain/call-search/call-row.ts'
import { toIso } from '#shared/domain/time.ts'

import { assistantToWire } from './assistant-to-wire.ts'
import type { AssistantWire } from './assistant.ts'
import type { CallAttemptWire } from './call-attempt.ts'
import type { CallOrderWire } from './call-order.ts'
import { snakeKeys } from './wire-case.ts'

/** An order with everything that its answer shows. */
export interface CallView {
  readonly order: CallOrder
  /** In any order. */
  readonly attempts: readonly CallAttempt[]
  /** The stored assistant, or the settings of one that exists for this call only. */
  readonly assistant: Assistant | AssistantSettings
  /** Null without a campaign, and once that is deleted. */
  readonly campaignName: string | null
  /** By attempt number. */
  readonly recordingUrls: ReadonlyMap<number, string>
}

/** A call order as it is answered (spec 2.9). */
export function callToWire(view: CallView): CallOrderWire {
  const { order } = view
  const assistant = embeddedAssistant(order, view.assistant)
  const attempts = view.attempts
    .toSorted((one, other) => other.number - one.number)
    .map((attempt) => attemptToWire(attempt, view.recordingUrls.get(attempt.number) ?? null))
  return {
    id: order.id,
    assignee: null,
    assistant,
    call_attempts: attempts,
    last_call_attempt: attempts[0] ?? null,
    calls_count: attempts.length,
    call_retry_config: snakeKeys(order.retryConfig),
    campaign: campaignOf(view),
    contact: contactOf(order.promptVariables),
    created_at: toIso(order.createdAt),
    direction: order.direction,
    first_sentence_delay_ms: assistant.first_sentence_delay_ms,
    from_phone_number: order.fromPhoneNumber,
    to_phone_number: order.toPhoneNumber,
    is_cancelled: order.status === 'cancelled',
    is_completed: order.status === 'completed',
    llm_model: assistant.llm_model,
    metadata: { ...order.metadata },
    prompt_variables: { ...order.promptVariables },
    organization_id: order.organizationId,
    scheduled_at: isoOrNull(order.scheduledAt),
    status: order.status,
    updated_at: toIso(order.updatedAt),
    next_call_at: isoOrNull(order.dueAt),
    callback_from: order.callbackFrom && {
      call_id: order.callbackFrom.callId,
      created_at: toIso(order.callbackFrom.createdAt),
    },
    cancel_reason: order.cancelReason,
    follow_up_emails: null,
    outcome: order.outcome,
    outcome_summary: order.outcomeSummary,
    chat_channel_ids: null,
    visual_number: order.visualNumber ?? null,
  }
}

/**
 * An assistant given inside POST /call is stored nowhere else. Its id is the call's under the
 * prefix of assistants, so that it stays a well-formed id that names nothing.
 */
function embeddedAssistant(
  order: CallOrder,
  assistant: Assistant | AssistantSettings,
): AssistantWire {
  if ('version' in assistant) return assistantToWire(assistant)
  return assistantToWire({
    ...assistant,
    id: assistantIdOf(order),
    organizationId: order.organizationId,
    version: 1,
    pendingFaqCount: 0,
    createdBy: null,
    createdAt: order.createdAt,
    updatedAt: order.createdAt,
    deletedAt: null,
  })
}

/** One attempt as it is answered (spec 2.10). */
function attemptToWire(attempt: CallAttempt, recordingUrl: string | null): CallAttemptWire {
  return {
    id: attempt.id,
    phone_number: attempt.phoneNumber,
    status: attempt.status,
    result: attempt.result,
    dial_error: attempt.dialError,
    recording_url: recordingUrl,
    started_at: isoOrNull(attempt.dialStartedAt),
    answered_at: isoOrNull(attempt.answeredAt),
    ended_at: isoOrNull(attempt.endedAt),
    handled_by_ai: attempt.handledByAi,
    handled_by_human: attempt.handledByHuman,
    handled_by_user: snakeKeys(attempt.handledByUser),
    assistants_used: attempt.assistantsUsed && [...attempt.assistantsUsed],
    end_reason: attempt.endReason,
    ended_by: attempt.endedBy,
    structured_output: attempt.structuredOutput,
    transcript: attempt.transcript.map((entry) => ({
      role: entry.role,
      content: entry.content,
      tool_arguments: entry.toolArguments ?? null,
      tool_is_error: entry.toolIsError ?? null,
      tool_name: entry.toolName ?? null,
      tool_output: entry.toolOutput ?? null,
    })),
    post_call_transcript: null,
    email_log: [],
    sms_log: [],
    speech_events: snakeKeys(attempt.speechEvents),
  }
}

function campaignOf({ order, campaignName }: CallView): CallOrderWire['campaign'] {
  return order.campaign === null || campaignName === null
    ? null
    : { id: order.campaign.campaignId, name: campaignName }
}

/** Who was called, as far as the contact's variables say (spec 2.9). */
function contactOf(variables: Readonly<Record<string, string>>): CallOrderWire['contact'] {
  return {
    company: variables['company'] ?? null,
    email: variables['email'] ?? null,
    first_name: variables['first_name'] ?? null,
    job_title: variables['job_title'] ?? null,
    last_name: variables['last_name'] ?? null,
  }
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : toIso(at)
}
