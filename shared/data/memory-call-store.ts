import { isDeepStrictEqual } from 'node:util'

import { isLive, type CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import { FINAL_STATUSES, type CallOrder } from '#shared/domain/call-order/order.ts'
import type { TranscriptEntry } from '#shared/domain/transcript.ts'
import type { CallStore, CallWrite, OrderKind, StoredEffect } from '#shared/ports/call-store.ts'
import type { Change, SaveResult } from '#shared/ports/change.ts'

import { frozenCopy } from './frozen-copy.ts'
import { showsLiveTranscript } from './live-transcript.ts'
import {
  campaignOrders,
  retryPendingKey,
  storeOrder,
  type CampaignOrderState,
} from './memory-campaign-orders.ts'
import { MemoryTimeline } from './memory-timeline.ts'

interface State extends CampaignOrderState {
  /** By order id, then number. */
  readonly attempts: Map<string, Map<number, CallAttempt>>
  /** By order id and number. */
  readonly lines: Map<string, TranscriptEntry[]>
  /** By order id and number, the live ones. */
  readonly leases: MemoryTimeline<{ readonly orderId: string; readonly number: number }>
  /** By order id and effect id. */
  readonly effects: MemoryTimeline<StoredEffect>
}

/**
 * The call store in memory. `orders` is where its orders stand, for whoever searches them; `scopes`
 * is what the sweep looks at.
 */
export function memoryCallStore(
  orders = new Map<string, CallOrder>(),
  scopes = new Set<string>(),
): CallStore {
  const state: State = {
    orders,
    waiting: new Map(),
    blocked: new Map(),
    retryPending: new Map(),
    rowStats: new Map(),
    closed: new Set(),
    attempts: new Map(),
    lines: new Map(),
    leases: new MemoryTimeline(),
    effects: new MemoryTimeline(),
    scopes,
  }
  return {
    ...records(state),
    ...waitingOrders(state),
    ...assistantOrders(state),
    ...campaignOrders(state),
    ...leases(state),
    ...outbox(state),
  }
}

function records(
  state: State,
): Pick<CallStore, 'findOrder' | 'findCall' | 'findAttempt' | 'save' | 'appendTranscript'> {
  const { orders, attempts, lines } = state
  const read = (attempt: CallAttempt): CallAttempt => {
    if (!showsLiveTranscript(attempt)) return attempt
    const spoken = lines.get(`${attempt.orderId}#${attempt.number}`) ?? []
    return Object.freeze({ ...attempt, transcript: Object.freeze(Object.values(spoken)) })
  }
  return {
    findOrder: async (orderId) => orders.get(orderId) ?? null,
    findCall: async (orderId) => {
      const order = orders.get(orderId)
      if (order === undefined) return null
      const found = [...(attempts.get(orderId)?.values() ?? [])].map(read)
      return { order, attempts: found.sort((one, other) => one.number - other.number) }
    },
    findAttempt: async (orderId, number) => {
      const attempt = attempts.get(orderId)?.get(number)
      return attempt === undefined ? null : read(attempt)
    },
    save: async (write) => save(state, write),
    appendTranscript: async (orderId, number, index, entry) => {
      const key = `${orderId}#${number}`
      const spoken = lines.get(key) ?? []
      spoken[index] = frozenCopy(entry)
      lines.set(key, spoken)
    },
  }
}

function save(state: State, write: CallWrite): SaveResult {
  const { order, calledBack, attempt, erasedAttempt, effects } = write
  const { orders, attempts } = state
  const storedOrder = order && orders.get(order.after.id)
  const storedAttempt = attempt && attempts.get(attempt.after.orderId)?.get(attempt.after.number)
  const storedBack = calledBack && orders.get(calledBack.after.id)
  if (storedOrder?.version !== order?.before?.version) return { kind: 'conflict' }
  if (storedBack?.version !== calledBack?.before?.version) return { kind: 'conflict' }
  if (storedAttempt?.version !== attempt?.before?.version) return { kind: 'conflict' }
  const erased = erasedAttempt && attempts.get(erasedAttempt.orderId)?.get(erasedAttempt.number)
  if (erased?.version !== erasedAttempt?.version) return { kind: 'conflict' }
  if (order) storeOrder(state, storedOrder ?? null, order.after)
  if (calledBack) storeOrder(state, storedBack ?? null, calledBack.after)
  if (erased) eraseAttempt(state, erased)
  if (attempt) storeAttempt(state, withStoredTranscript(attempt, storedAttempt))
  for (const stored of effects) {
    state.effects.set(`${stored.orderId}#${stored.id}`, stored.createdAt, frozenCopy(stored))
  }
  return { kind: 'saved' }
}

/** The live lines that were read with an attempt do not become its transcript before it ends. */
function withStoredTranscript(
  { before, after }: Change<CallAttempt>,
  stored: CallAttempt | undefined,
): CallAttempt {
  if (before === null || stored === undefined || !isLive(after)) return after
  const isUntouched = isDeepStrictEqual(before.transcript, after.transcript)
  return isUntouched ? { ...after, transcript: stored.transcript } : after
}

function storeAttempt({ attempts, leases }: State, attempt: CallAttempt): void {
  const { orderId, number, leaseUntil } = attempt
  const ofOrder = attempts.get(orderId) ?? new Map<number, CallAttempt>()
  attempts.set(orderId, ofOrder.set(number, frozenCopy(attempt)))
  leases.set(`${orderId}#${number}`, leaseUntil, { orderId, number })
}

function eraseAttempt({ attempts, leases }: State, { orderId, number }: CallAttempt): void {
  attempts.get(orderId)?.delete(number)
  leases.set(`${orderId}#${number}`, null, { orderId, number })
}

function waitingOrders({
  waiting,
  blocked,
  retryPending,
  scopes,
}: State): Pick<
  CallStore,
  | 'listDue'
  | 'nextDueAt'
  | 'listBlocked'
  | 'listBlockingPermits'
  | 'findRetryPending'
  | 'listScopes'
  | 'registerScope'
> {
  const earliest = (scope: string, until: number, limit: number) =>
    waiting.get(scope)?.earliest(until, limit) ?? []
  return {
    listBlocked: async (organizationId, permit, limit) =>
      (blocked.get(organizationId)?.get(permit)?.earliest(Infinity, limit) ?? []).map(
        ({ id }) => id,
      ),
    listBlockingPermits: async (organizationId) =>
      [...(blocked.get(organizationId) ?? [])]
        .filter(([, timeline]) => timeline.earliest(Infinity, 1).length > 0)
        .map(([permit]) => permit),
    listDue: async (scope, until, limit) =>
      earliest(scope, until, limit).map(({ at, id }) => ({ orderId: id, dueAt: at })),
    nextDueAt: async (scope) => earliest(scope, Infinity, 1)[0]?.at ?? null,
    findRetryPending: async (organizationId, phoneNumber) => {
      const pending = retryPending.get(retryPendingKey(organizationId, phoneNumber))
      return pending?.earliest(Infinity, 1)[0]?.id ?? null
    },
    listScopes: async () => [...scopes].sort(),
    registerScope: async (scope) => {
      scopes.add(scope)
    },
  }
}

function assistantOrders({
  orders,
}: State): Pick<CallStore, 'isAssistantInUse' | 'listKindsNotBegun' | 'countNotBegun'> {
  const uses = (assistantId: string): { order: CallOrder; kind: OrderKind }[] =>
    [...orders.values()].flatMap((order) => {
      const { assistant, promptVariables, status } = order
      const isUser = assistant.kind === 'stored' && assistant.assistantId === assistantId
      if (!isUser || FINAL_STATUSES.has(status)) return []
      const variables = Object.keys(promptVariables).sort()
      return [{ order, kind: { version: assistant.version, variables } }]
    })
  const notBegun = (assistantId: string) =>
    uses(assistantId).filter(({ order }) => order.attemptsMade === 0)
  return {
    isAssistantInUse: async (assistantId) => uses(assistantId).length > 0,
    listKindsNotBegun: async (assistantId) => [
      ...new Map(notBegun(assistantId).map(({ kind }) => [JSON.stringify(kind), kind])).values(),
    ],
    countNotBegun: async (assistantId, { version, variables }) => {
      const wanted = { version, variables: variables.toSorted() }
      return notBegun(assistantId).filter(({ kind }) => isDeepStrictEqual(kind, wanted)).length
    },
  }
}

function leases(state: State): Pick<CallStore, 'listExpiredLeases' | 'extendLease'> {
  return {
    listExpiredLeases: async (now, limit) =>
      state.leases.earliest(now, limit).map(({ value }) => value),
    extendLease: async (orderId, number, fence, leaseUntil) => {
      const attempt = state.attempts.get(orderId)?.get(number)
      if (attempt === undefined || attempt.leaseUntil === null) return false
      if (attempt.fence !== fence) return false
      storeAttempt(state, { ...attempt, leaseUntil, version: attempt.version + 1 })
      return true
    },
  }
}

function outbox({ effects }: State): Pick<CallStore, 'listUndone' | 'markDone'> {
  return {
    listUndone: async (createdBefore, limit) =>
      effects.earliest(createdBefore - 1, limit).map(({ value }) => value),
    markDone: async (stored) => {
      effects.set(`${stored.orderId}#${stored.id}`, null, stored)
    },
  }
}
