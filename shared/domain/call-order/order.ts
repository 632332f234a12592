/** A requested call to one number, resolved over one or more attempts: spec 2.9 and 3.1. */

import type { AssistantSettings, Outcome } from '../assistant.ts'
import type { AttemptResult, DialError } from '../call-attempt/attempt.ts'
import type { CallRetryConfig } from '../retry/call-retry-config.ts'

export const CALL_ORDER_STATUSES = [
  'initializing',
  'queued_for_calling',
  'calling',
  'post_processing',
  'not_launched',
  'scheduled',
  'paused',
  'completed',
  'cancelled',
  'errored',
] as const
export type CallOrderStatus = (typeof CALL_ORDER_STATUSES)[number]

export const FINAL_STATUSES: ReadonlySet<CallOrderStatus> = new Set([
  'completed',
  'cancelled',
  'errored',
])

/** What the planner must know of the attempt before: enough to choose the next moment. */
export interface AttemptSummary {
  readonly number: number
  readonly startedAt: number
  readonly endedAt: number
  readonly result: AttemptResult | null
  readonly dialError: DialError | null
}

export interface ConcurrencyCap {
  readonly key: string
  readonly max: number
}

/** Times are epoch ms. */
export interface CallOrder {
  readonly id: string
  readonly organizationId: string
  /** Optimistic lock: every save raises it by one. */
  readonly version: number
  readonly direction: 'inbound' | 'outbound'
  readonly status: CallOrderStatus
  readonly toPhoneNumber: string
  /** Null when the organization's default is used; fixed at the first dial. */
  readonly fromPhoneNumber: string | null
  readonly assistant: AssistantReference
  /** What waits together (see `scope.ts`). */
  readonly scope: string
  readonly campaign: CampaignRowReference | null
  /** Counts the people of a campaign who answered; null before, and outside campaigns (spec 2.9). */
  readonly visualNumber: number | null
  readonly concurrency: ConcurrencyCap | null
  readonly retryConfig: CallRetryConfig
  /** IANA names of every zone the recipient may be in; a dial must be allowed in all of them. */
  readonly timeZones: readonly string[]
  readonly warnings: readonly string[]
  readonly forceNow: boolean
  readonly scheduledAt: number | null
  /** When the next attempt may start. Non-null exactly while `scheduled` or `queued_for_calling`. */
  readonly dueAt: number | null
  /**
   * The full permit that holds up this order and no other of its scope (`permit-scope.ts`). Until
   * one is free it waits there, out of the way of the others.
   */
  readonly blockedBy: string | null
  readonly attemptsMade: number
  readonly lastAttempt: AttemptSummary | null
  /** Pause asked while an attempt was live: takes effect before the next one. */
  readonly pauseRequested: boolean
  /** `call.completed` was announced: at most once, when the order is final and its last attempt concluded. */
  readonly isAnnounced: boolean
  readonly cancelReason: 'prospect_called_back' | null
  readonly callbackFrom: { readonly callId: string; readonly createdAt: number } | null
  readonly outcome: Outcome | null
  readonly outcomeSummary: string | null
  readonly promptVariables: Readonly<Record<string, string>>
  readonly metadata: Readonly<Record<string, string>>
  /** Placed with a `vak_test_` key: reaches only the simulated carrier. */
  readonly isTest: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

/** `stored` pins the version the order was planned with; `inline` carries its own settings. */
export type AssistantReference =
  | { readonly kind: 'stored'; readonly assistantId: string; readonly version: number }
  | { readonly kind: 'inline'; readonly settings: AssistantSettings }

export interface CampaignRowReference {
  readonly campaignId: string
  readonly rowId: string
  readonly rowIndex: number
}
