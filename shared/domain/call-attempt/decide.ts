/**
 * The state machine of a call attempt (spec 3.2, decisions 3): `queued` -> `ringing` -> `ongoing` ->
 * `completed`, or `error` when it was never answered. Forward only; what does not apply is ignored
 * with a reason.
 */

import type { AttemptSummary } from '../call-order/order.ts'
import type { SpeechEvent, TranscriptEntry } from '../transcript.ts'
import {
  isLive,
  type AttemptResult,
  type CallAttempt,
  type DialError,
  type EndedBy,
  type EndReason,
} from './attempt.ts'
import { classifyCarrierCause, type CarrierCause } from './classify-carrier-cause.ts'

/** Times are epoch ms; `at` is by the clock of whoever reports it. */
export type AttemptEvent =
  /** Comes before the dial: whoever gets it through is the only one who may dial. */
  | { readonly type: 'claimed'; readonly owner: string; readonly leaseUntil: number }
  | { readonly type: 'placed'; readonly carrierCallId: string; readonly leaseUntil: number }
  | { readonly type: 'ringing'; readonly at: number }
  | { readonly type: 'answered'; readonly at: number; readonly leaseUntil: number }
  /** A media session takes the call over; every earlier session is stale from here on. */
  | { readonly type: 'adopted'; readonly leaseUntil: number }
  /** `graceUntil`: how long the session may take to report the end itself. */
  | {
      readonly type: 'carrierEnded'
      readonly at: number
      readonly cause: CarrierCause
      readonly graceUntil: number
    }
  | {
      readonly type: 'sessionEnded'
      readonly fence: number
      readonly at: number
      readonly result: AttemptResult | null
      readonly endedBy: EndedBy
      readonly endReason: EndReason | null
      readonly transcript: readonly TranscriptEntry[]
      readonly speechEvents: readonly SpeechEvent[]
      readonly recordingKey: string | null
    }
  /** The carrier refused the dial at once. */
  | { readonly type: 'refused'; readonly cause: CarrierCause }
  /** Whoever held the attempt is taken for dead, or may not go on; the caller has made sure. */
  | { readonly type: 'leaseExpired' }
  /** The order was cancelled before anybody dialled. */
  | { readonly type: 'withdrawn' }
  /** What was said has been read, or cannot be. */
  | {
      readonly type: 'concluded'
      readonly structuredOutput: Readonly<Record<string, unknown>> | null
    }

/** `ended` is non-null exactly when this event ended the attempt: then the order must hear of it. */
export type AttemptDecision =
  | {
      readonly kind: 'changed'
      readonly attempt: CallAttempt
      readonly ended: AttemptSummary | null
    }
  | { readonly kind: 'ignored'; readonly reason: string }

/** An attempt that is admitted and waits for somebody to dial it. */
export function newCallAttempt(
  input: Pick<
    CallAttempt,
    | 'id'
    | 'orderId'
    | 'organizationId'
    | 'number'
    | 'phoneNumber'
    | 'fromPhoneNumber'
    | 'permits'
    | 'leaseUntil'
  >,
  now: number,
): CallAttempt {
  return {
    ...input,
    version: 1,
    status: 'queued',
    result: null,
    dialError: null,
    admittedAt: now,
    dialStartedAt: null,
    dialOwner: null,
    carrierCallId: null,
    ringingAt: null,
    answeredAt: null,
    endedAt: null,
    fence: 0,
    handledByAi: false,
    handledByHuman: false,
    handledByUser: null,
    assistantsUsed: null,
    endReason: null,
    endedBy: null,
    recordingKey: null,
    transcript: [],
    speechEvents: [],
    structuredOutput: null,
    concludedAt: null,
  }
}

/** What an event makes of an attempt. The changed attempt has the next version. */
export function decideAttempt(
  attempt: CallAttempt,
  event: AttemptEvent,
  now: number,
): AttemptDecision {
  const step = isLive(attempt) ? whileLive(attempt, event, now) : afterTheEnd(attempt, event, now)
  if (typeof step === 'string') return { kind: 'ignored', reason: step }
  const changed = { ...attempt, ...step, version: attempt.version + 1 }
  const hasEnded = isLive(attempt) && changed.endedAt !== null
  return { kind: 'changed', attempt: changed, ended: hasEnded ? summaryOf(changed) : null }
}

/** What changes, or why nothing does. */
type Step = Partial<CallAttempt> | string

function whileLive(attempt: CallAttempt, event: AttemptEvent, now: number): Step {
  const isDialled = attempt.dialStartedAt !== null
  switch (event.type) {
    case 'claimed':
      if (isDialled) return 'already claimed'
      return { dialStartedAt: now, dialOwner: event.owner, leaseUntil: event.leaseUntil }
    case 'withdrawn':
      return isDialled ? 'already claimed' : failed('precondition_failed', now)
    case 'leaseExpired':
      return attempt.answeredAt === null
        ? failed('non_classified_error', now)
        : { ...completed(attempt.result, now), endedBy: 'system' }
    case 'concluded':
      return 'still live'
    case 'placed':
    case 'ringing':
    case 'answered':
    case 'adopted':
    case 'carrierEnded':
    case 'sessionEnded':
    case 'refused':
      return isDialled ? whileDialled(attempt, event, now) : 'nobody has dialled'
  }
}

type DialledEvent = Exclude<
  AttemptEvent,
  { readonly type: 'claimed' | 'withdrawn' | 'leaseExpired' | 'concluded' }
>

function whileDialled(attempt: CallAttempt, event: DialledEvent, now: number): Step {
  const isAnswered = attempt.answeredAt !== null
  switch (event.type) {
    case 'placed':
      return place(attempt, event)
    case 'ringing':
      if (attempt.status !== 'queued') return `already ${attempt.status}`
      return { status: 'ringing', ringingAt: within(attempt, event.at, now) }
    case 'answered': {
      if (isAnswered) return 'already answered'
      const answeredAt = within(attempt, event.at, now)
      return { status: 'ongoing', answeredAt, leaseUntil: event.leaseUntil }
    }
    case 'adopted':
      return {
        status: 'ongoing',
        answeredAt: attempt.answeredAt ?? now,
        fence: attempt.fence + 1,
        leaseUntil: event.leaseUntil,
        handledByAi: true,
      }
    case 'carrierEnded':
      return isAnswered
        ? carrierEndedAnswered(attempt, event, now)
        : failed(classifyCarrierCause(event.cause), within(attempt, event.at, now))
    case 'sessionEnded':
      return endSession(attempt, event, now)
    case 'refused':
      return isAnswered ? 'already answered' : failed(classifyCarrierCause(event.cause), now)
  }
}

function afterTheEnd(attempt: CallAttempt, event: AttemptEvent, now: number): Step {
  if (event.type !== 'concluded') return 'already ended'
  if (attempt.concludedAt !== null) return 'already concluded'
  return { structuredOutput: event.structuredOutput, concludedAt: now }
}

/** The carrier's own events may have come first; an answered call keeps the lease it has. */
function place(
  attempt: CallAttempt,
  event: Extract<AttemptEvent, { readonly type: 'placed' }>,
): Step {
  if (attempt.carrierCallId !== null) return 'already placed'
  const { carrierCallId } = event
  const leaseUntil = Math.max(attempt.leaseUntil ?? 0, event.leaseUntil)
  return attempt.answeredAt === null ? { carrierCallId, leaseUntil } : { carrierCallId }
}

function carrierEndedAnswered(
  attempt: CallAttempt,
  event: Extract<AttemptEvent, { readonly type: 'carrierEnded' }>,
  now: number,
): Step {
  if (attempt.fence === 0) {
    return { ...completed(null, within(attempt, event.at, now)), endedBy: 'system' }
  }
  return attempt.leaseUntil !== null && attempt.leaseUntil <= event.graceUntil
    ? 'its session reports the end'
    : { leaseUntil: event.graceUntil }
}

function endSession(
  attempt: CallAttempt,
  event: Extract<AttemptEvent, { readonly type: 'sessionEnded' }>,
  now: number,
): Step {
  if (attempt.fence === 0 || event.fence !== attempt.fence) return 'not the session of this call'
  const { endedBy, endReason, transcript, speechEvents, recordingKey } = event
  return {
    ...completed(event.result, within(attempt, event.at, now)),
    endedBy,
    endReason,
    transcript,
    speechEvents,
    recordingKey,
  }
}

function failed(dialError: DialError, endedAt: number): Partial<CallAttempt> {
  return { status: 'error', dialError, endedAt, leaseUntil: null }
}

function completed(result: AttemptResult | null, endedAt: number): Partial<CallAttempt> {
  return { status: 'completed', result: result ?? 'unknown', endedAt, leaseUntil: null }
}

/** A moment by somebody else's clock, held between what is known to be before it and now. */
function within(attempt: CallAttempt, at: number, now: number): number {
  const earliest = attempt.answeredAt ?? attempt.ringingAt ?? attempt.dialStartedAt ?? now
  return Math.max(earliest, Math.min(at, now))
}

function summaryOf(attempt: CallAttempt & { readonly endedAt: number | null }): AttemptSummary {
  const { number, result, dialError, admittedAt } = attempt
  const startedAt = attempt.dialStartedAt ?? admittedAt
  return { number, startedAt, endedAt: attempt.endedAt ?? startedAt, result, dialError }
}
