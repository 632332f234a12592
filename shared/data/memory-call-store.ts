import { isDeepStrictEqual } from 'node:util'

import { isLive, type CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import { FINAL_STATUSES, type CallOrder } from '#shared/domain/call-order/order.ts'
import type { TranscriptEntry } from '#shared/domain/transcript.ts'
import type {
  CallStore,
  CallWrite,
  Change,
  OrderKind,
  SaveResult,
  StoredEffect,
} from '#shared/ports/call-store.ts'

import { frozenCopy } from './frozen-copy.ts'
import { showsLiveTranscript } from './live-transcript.ts'
import { campaignOrders, countRow, type CampaignOrderState } from './memory-campaign-orders.ts'
import { earliest, type Timed } from './memory-timeline.ts'

interface State extends CampaignOrderState {
  /** By order id, then number. */
  readonly attempts: Map<string, Map<number, CallAttempt>>
  /** By order id and number. */
  readonly lines: Map<string, TranscriptEntry[]>
  /** By order id and effect id. */
  readonly effects: Map<string, StoredEffect>
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
    rowStats: new Map(),
    attempts: new Map(),
    lines: new Map(),
    effects: new Map(),
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

function save(state: State, { order, attempt, erasedAttempt, effects }: CallWrite): SaveResult {
  const { orders, attempts } = state
  const storedOrder = order && orders.get(order.after.id)
  const storedAttempt = attempt && attempts.get(attempt.after.orderId)?.get(attempt.after.number)
  if (storedOrder?.version !== order?.before?.version) return { kind: 'conflict' }
  if (storedAttempt?.version !== attempt?.before?.version) return { kind: 'conflict' }
  const erased = erasedAttempt && attempts.get(erasedAttempt.orderId)?.get(erasedAttempt.number)
  if (erased?.version !== erasedAttempt?.version) return { kind: 'conflict' }
  if (order) {
    orders.set(order.after.id, frozenCopy(order.after))
    countRow(state, storedOrder ?? null, order.after)
  }
  if (erased) attempts.get(erased.orderId)?.delete(erased.number)
  if (attempt) storeAttempt(state, withStoredTranscript(attempt, storedAttempt))
  for (const stored of effects) {
    state.effects.set(`${stored.orderId}#${stored.id}`, frozenCopy(stored))
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

function storeAttempt({ attempts }: State, attempt: CallAttempt): void {
  const ofOrder = attempts.get(attempt.orderId) ?? new Map<number, CallAttempt>()
  attempts.set(attempt.orderId, ofOrder.set(attempt.number, frozenCopy(attempt)))
}

function waitingOrders({
  orders,
  scopes,
}: State): Pick<
  CallStore,
  'listDue' | 'nextDueAt' | 'listBlocked' | 'listBlockingPermits' | 'listScopes' | 'registerScope'
> {
  const timed = (order: CallOrder) => ({ at: order.dueAt, id: order.id, value: order })
  const waiting = (scope: string): Timed<CallOrder>[] =>
    [...orders.values()]
      .filter((order) => order.scope === scope && order.blockedBy === null)
      .map(timed)
  const blocked = (organizationId: string) =>
    [...orders.values()].filter(
      (order) => order.organizationId === organizationId && order.blockedBy !== null,
    )
  return {
    listBlocked: async (organizationId, permit, limit) => {
      const all = blocked(organizationId).filter(({ blockedBy }) => blockedBy === permit)
      return earliest(all.map(timed), Infinity, limit).map(({ id }) => id)
    },
    listBlockingPermits: async (organizationId) => [
      ...new Set(blocked(organizationId).flatMap(({ blockedBy }) => blockedBy ?? [])),
    ],
    listDue: async (scope, until, limit) =>
      earliest(waiting(scope), until, limit).map(({ at, id }) => ({ orderId: id, dueAt: at })),
    nextDueAt: async (scope) => earliest(waiting(scope), Infinity, 1)[0]?.at ?? null,
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
    listExpiredLeases: async (now, limit) => {
      const attempts = [...state.attempts.values()].flatMap((ofOrder) => [...ofOrder.values()])
      const held = attempts.map((attempt) => ({
        at: attempt.leaseUntil,
        id: `${attempt.orderId}#${attempt.number}`,
        value: { orderId: attempt.orderId, number: attempt.number },
      }))
      return earliest(held, now, limit).map(({ value }) => value)
    },
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
    listUndone: async (createdBefore, limit) => {
      const stored = [...effects].map(([id, value]) => ({ at: value.createdAt, id, value }))
      return earliest(stored, createdBefore - 1, limit).map(({ value }) => value)
    },
    markDone: async ({ orderId, id }) => {
      effects.delete(`${orderId}#${id}`)
    },
  }
}
