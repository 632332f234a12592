/**
 * The state machine of a call order (decisions 3). Every change of an order is decided here. An event
 * that does not apply is ignored with a reason: messages come late, twice, out of order, or never.
 */

import type { Outcome } from '../assistant.ts'
import type { Effect } from '../effect.ts'
import { workableTimeZones } from '../recipient-time-zones.ts'
import { planFirstAttempt, planNextAttempt, type NextAttempt } from '../retry/plan-next-attempt.ts'
import { mayDial } from './may-dial.ts'
import {
  FINAL_STATUSES,
  type AttemptSummary,
  type CallOrder,
  type CallOrderStatus,
} from './order.ts'
import { retryPendingSince } from './retry-pending.ts'

/** Times are epoch ms. */
export type OrderEvent =
  /** Permits are held and the attempt is created in the same transaction. */
  | { readonly type: 'admitted'; readonly fromPhoneNumber: string }
  /** Due, but it may not be dialled before `dueAt`. */
  | { readonly type: 'deferred'; readonly dueAt: number }
  /** Due, and waiting for nothing but capacity. */
  | { readonly type: 'due' }
  /** Due, and waiting for a permit that concerns it alone. */
  | { readonly type: 'blocked'; readonly by: string }
  /** That permit has room: it waits with its scope again, where it stood. */
  | { readonly type: 'unblocked' }
  /** The attempt was erased before anybody dialled it: as if it had never been admitted. */
  | { readonly type: 'takenBack' }
  | {
      readonly type: 'attemptEnded'
      readonly attempt: AttemptSummary
      /** The campaign's next, when a human was reached. */
      readonly visualNumber?: number | undefined
    }
  | {
      readonly type: 'attemptConcluded'
      readonly outcome: Outcome | null
      readonly outcomeSummary: string | null
    }
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }
  | { readonly type: 'cancel' }
  | { readonly type: 'prospectCalledBack' }
  /** An unrecoverable fault of ours. */
  | { readonly type: 'fault' }
  /** May never be dialled, for example a suppressed number. */
  | { readonly type: 'refused' }

export type OrderDecision =
  | { readonly kind: 'changed'; readonly order: CallOrder; readonly effects: readonly Effect[] }
  | { readonly kind: 'ignored'; readonly reason: string }

/** What is known when an order is asked for; everything else of it is derived. */
export type NewCallOrder = Omit<
  CallOrder,
  | 'version'
  | 'status'
  | 'dueAt'
  | 'blockedBy'
  | 'attemptsMade'
  | 'visualNumber'
  | 'lastAttempt'
  | 'pauseRequested'
  | 'isAnnounced'
  | 'cancelReason'
  | 'callbackFrom'
  | 'outcome'
  | 'outcomeSummary'
  | 'createdAt'
  | 'updatedAt'
> & { readonly callbackFrom?: CallOrder['callbackFrom'] }

/**
 * A new order with the time of its first attempt; an inbound one is in its only call already.
 * When the recipient's possible zones are never open together, the likeliest one counts alone and a
 * warning is added.
 */
export function newCallOrder(
  input: NewCallOrder,
  now: number,
): { readonly order: CallOrder; readonly effects: readonly Effect[] } {
  const { zones, warning } = workableTimeZones({
    config: input.retryConfig,
    zones: input.timeZones,
    from: now,
  })
  const order: CallOrder = {
    ...input,
    version: 1,
    status: 'initializing',
    timeZones: zones,
    warnings: warning === null ? input.warnings : [...input.warnings, warning],
    dueAt: null,
    blockedBy: null,
    attemptsMade: 0,
    visualNumber: null,
    lastAttempt: null,
    pauseRequested: false,
    isAnnounced: false,
    cancelReason: null,
    callbackFrom: input.callbackFrom ?? null,
    outcome: null,
    outcomeSummary: null,
    createdAt: now,
    updatedAt: now,
  }
  if (input.direction === 'inbound') {
    return { order: { ...order, status: 'calling', attemptsMade: 1 }, effects: [] }
  }
  const { patch, effects } = waiting(order, firstDueAt(order, now), now)
  return { order: { ...order, ...patch }, effects }
}

/** What an event makes of an order. The changed order has the next version and `updatedAt = now`. */
export function decideOrder(order: CallOrder, event: OrderEvent, now: number): OrderDecision {
  const outcome = FINAL_STATUSES.has(order.status)
    ? afterTheEnd(order, event)
    : beforeTheEnd(order, event, now)
  if (typeof outcome === 'string') return { kind: 'ignored', reason: outcome }
  const changed = {
    ...order,
    blockedBy: null,
    ...outcome.patch,
    version: order.version + 1,
    updatedAt: now,
  }
  return { kind: 'changed', order: changed, effects: outcome.effects }
}

/** What changes and what must follow, or why nothing does. */
type Step = { readonly patch: Partial<CallOrder>; readonly effects: readonly Effect[] } | string
type Taken = Exclude<Step, string>

function beforeTheEnd(order: CallOrder, event: OrderEvent, now: number): Step {
  switch (event.type) {
    case 'admitted':
      return admit(order, event.fromPhoneNumber, now)
    case 'deferred':
      return isWaiting(order) ? waiting(order, event.dueAt, now) : notIn(order)
    case 'due':
      return becomeDue(order, now)
    case 'blocked':
      return block(order, event.by, now)
    case 'unblocked':
      return order.blockedBy === null
        ? 'is not blocked'
        : { patch: {}, effects: [wake(order, now)] }
    case 'takenBack':
      return order.status === 'calling' ? takeBack(order, now) : notIn(order)
    case 'attemptEnded':
      return order.status === 'calling'
        ? recordAttempt(order, event, 'post_processing')
        : notIn(order)
    case 'attemptConcluded':
      return order.status === 'post_processing' ? conclude(order, event, now) : notIn(order)
    case 'pause':
      return pause(order)
    case 'resume':
      return resume(order, now)
    case 'cancel':
      return finish(order, { status: 'cancelled' }, hasOpenAttempt(order))
    case 'prospectCalledBack':
      return retryPendingSince(order) === null
        ? 'no retry is pending'
        : finish(order, CALLED_BACK, hasOpenAttempt(order))
    case 'fault':
      return finish(order, { status: 'errored' }, order.status === 'calling')
    case 'refused':
      return isWaiting(order) ? finish(order, { status: 'errored' }, false) : notIn(order)
  }
}

/** A final status stays. A call that was still going on is recorded, concluded and announced, once. */
function afterTheEnd(order: CallOrder, event: OrderEvent): Step {
  switch (event.type) {
    case 'attemptEnded':
      return order.isAnnounced ? 'already announced' : recordAttempt(order, event, order.status)
    case 'attemptConcluded': {
      const { outcome, outcomeSummary } = event
      return owesAnnouncement(order)
        ? announced(order, { outcome, outcomeSummary })
        : 'already announced, or no attempt has ended'
    }
    case 'fault':
      return owesAnnouncement(order) ? announced(order, {}) : notIn(order)
    case 'takenBack':
    case 'admitted':
    case 'deferred':
    case 'due':
    case 'blocked':
    case 'unblocked':
    case 'pause':
    case 'resume':
    case 'cancel':
    case 'prospectCalledBack':
    case 'refused':
      return notIn(order)
  }
}

const WAITING_STATUSES: ReadonlySet<CallOrderStatus> = new Set([
  'initializing',
  'not_launched',
  'scheduled',
  'queued_for_calling',
])

function isWaiting(order: CallOrder): boolean {
  return WAITING_STATUSES.has(order.status)
}

function hasOpenAttempt(order: CallOrder): boolean {
  return order.status === 'calling' || order.status === 'post_processing'
}

function notIn(order: CallOrder): string {
  return `does not apply to an order that is ${order.status}`
}

/** The last guard before a dial: due, within the limit of attempts, and inside an open window. */
function admit(order: CallOrder, fromPhoneNumber: string, now: number): Step {
  if (!isWaiting(order)) return notIn(order)
  if (order.dueAt === null || order.dueAt > now) return 'not due yet'
  const number = order.attemptsMade + 1
  if (number > 1 && number > order.retryConfig.maxRetryAttempts) return 'attempts spent'
  if (mayDial(order, number, now).kind === 'closed') return 'calling window closed'
  const patch = { status: 'calling', fromPhoneNumber, attemptsMade: number, dueAt: null } as const
  return { patch, effects: [] }
}

function takeBack(order: CallOrder, now: number): Step {
  const { patch, effects } = order.pauseRequested ? PAUSED : waiting(order, now, now)
  return { patch: { ...patch, attemptsMade: order.attemptsMade - 1 }, effects }
}

function becomeDue(order: CallOrder, now: number): Step {
  if (!isWaiting(order) || order.status === 'queued_for_calling') return notIn(order)
  if (order.dueAt !== null && order.dueAt > now) return 'not due yet'
  const dueAt = order.dueAt ?? now
  const effects = order.status === 'scheduled' ? [] : [wake(order, dueAt)]
  return { patch: { status: 'queued_for_calling', dueAt }, effects }
}

function block(order: CallOrder, by: string, now: number): Step {
  if (order.dueAt === null || order.dueAt > now) return 'not due'
  if (order.blockedBy === by) return 'already blocked by it'
  return { patch: { status: 'queued_for_calling', blockedBy: by }, effects: [] }
}

function recordAttempt(
  order: CallOrder,
  { attempt, visualNumber }: Extract<OrderEvent, { readonly type: 'attemptEnded' }>,
  status: CallOrderStatus,
): Step {
  if (attempt.number !== order.attemptsMade) return 'not the current attempt'
  if (attempt.number === order.lastAttempt?.number) return 'already recorded'
  return {
    patch: {
      status,
      lastAttempt: attempt,
      visualNumber: order.visualNumber ?? visualNumber ?? null,
    },
    effects: [{ kind: 'concludeAttempt', orderId: order.id, number: attempt.number }],
  }
}

function conclude(
  order: CallOrder,
  result: Pick<CallOrder, 'outcome' | 'outcomeSummary'>,
  now: number,
): Step {
  const { outcome, outcomeSummary } = result
  const next = nextAttempt(order, now)
  if (next.kind === 'resolved') {
    return finish(order, { status: next.status, outcome, outcomeSummary }, false)
  }
  const { patch, effects } = order.pauseRequested ? PAUSED : waiting(order, next.dueAt, now)
  return { patch: { ...patch, outcome, outcomeSummary }, effects }
}

/** Nobody is called back because of a call that they made. */
function nextAttempt(order: CallOrder, now: number): NextAttempt {
  const { retryConfig: config, timeZones: zones, lastAttempt: last, attemptsMade } = order
  if (order.direction === 'inbound' || last === null) {
    return { kind: 'resolved', reason: 'not_retryable', status: 'completed' }
  }
  return planNextAttempt({ config, zones, last, attemptsMade, now })
}

const CALLED_BACK = { status: 'cancelled', cancelReason: 'prospect_called_back' } as const

const PAUSED: Taken = {
  patch: { status: 'paused', dueAt: null, pauseRequested: false },
  effects: [],
}

function pause(order: CallOrder): Step {
  if (isWaiting(order)) return PAUSED
  if (!hasOpenAttempt(order)) return notIn(order)
  return order.pauseRequested
    ? 'already asked for'
    : { patch: { pauseRequested: true }, effects: [] }
}

function resume(order: CallOrder, now: number): Step {
  if (order.pauseRequested) return { patch: { pauseRequested: false }, effects: [] }
  if (order.status !== 'paused') return notIn(order)
  if (order.attemptsMade === 0) return waiting(order, firstDueAt(order, now), now)
  const next = nextAttempt(order, now)
  return next.kind === 'retry'
    ? waiting(order, next.dueAt, now)
    : finish(order, { status: next.status }, false)
}

function firstDueAt(order: CallOrder, now: number): number {
  return planFirstAttempt({
    config: order.retryConfig,
    zones: order.timeZones,
    notBefore: Math.max(now, order.scheduledAt ?? now),
    forceNow: order.forceNow,
  })
}

function waiting(order: CallOrder, dueAt: number, now: number): Taken {
  return {
    patch: { status: dueAt <= now ? 'queued_for_calling' : 'scheduled', dueAt },
    effects: [wake(order, dueAt)],
  }
}

function wake(order: CallOrder, at: number): Effect {
  return { kind: 'wakeScope', scope: order.scope, at }
}

/** Makes an order final. It is announced now, or once its open attempt is concluded. */
function finish(order: CallOrder, patch: Partial<CallOrder>, isAttemptOpen: boolean): Taken {
  const final = { ...patch, dueAt: null, pauseRequested: false }
  return order.attemptsMade === 0 || isAttemptOpen
    ? { patch: final, effects: [] }
    : announced(order, final)
}

function owesAnnouncement(order: CallOrder): boolean {
  const hasEnded = order.attemptsMade > 0 && order.lastAttempt?.number === order.attemptsMade
  return hasEnded && !order.isAnnounced
}

function announced(order: CallOrder, patch: Partial<CallOrder>): Taken {
  return {
    patch: { ...patch, isAnnounced: true },
    effects: [{ kind: 'announce', event: 'call.completed', orderId: order.id }],
  }
}
