import type { CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { OutboxEffect } from '#shared/domain/effect.ts'
import type { TranscriptEntry } from '#shared/domain/transcript.ts'

import type { CampaignOrders } from './campaign-orders.ts'
import type { Change, SaveResult } from './change.ts'

/** One transaction: everything in it is stored, or nothing. */
export interface CallWrite {
  readonly order?: Change<CallOrder>
  readonly attempt?: Change<CallAttempt>
  /** The order that a call which came in answers. */
  readonly calledBack?: Change<CallOrder>
  /** An attempt that nobody has dialled, to be forgotten if its version is still that. */
  readonly erasedAttempt?: CallAttempt
  /** Stored beside the change, so that a crash after the save loses none of them. */
  readonly effects: readonly StoredEffect[]
}

export interface StoredEffect {
  readonly id: string
  /** The order that it is about, or else in whose transaction it was stored. */
  readonly orderId: string
  readonly effect: OutboxEffect
  /** Epoch ms: when it was asked for. The sweep performs again what is still stored much later. */
  readonly createdAt: number
}

/** Orders that know the same variables and were planned with the same version of an assistant. */
export interface OrderKind {
  readonly version: number
  /** Names of their `prompt_variables`. */
  readonly variables: readonly string[]
}

/** Call orders with their attempts, and the outbox of what must follow from each change. */
export interface CallStore extends CampaignOrders {
  findOrder(orderId: string): Promise<CallOrder | null>
  /** Attempts in ascending number. */
  findCall(orderId: string): Promise<{ order: CallOrder; attempts: CallAttempt[] } | null>
  findAttempt(orderId: string, number: number): Promise<CallAttempt | null>
  save(write: CallWrite): Promise<SaveResult>

  /** Waiting orders of a scope whose `dueAt <= until`, earliest first, without the blocked ones. */
  listDue(
    scope: string,
    until: number,
    limit: number,
  ): Promise<{ orderId: string; dueAt: number }[]>
  /** The earliest `dueAt` of the same orders, or null when none waits. */
  nextDueAt(scope: string): Promise<number | null>
  /** Orders of an organization that are blocked by a permit, earliest `dueAt` first. */
  listBlocked(organizationId: string, permit: string, limit: number): Promise<string[]>
  /** The permits by which orders of an organization are blocked. */
  listBlockingPermits(organizationId: string): Promise<string[]>
  /** The order to a number, called last among those that would be called again, or null. */
  findRetryPending(organizationId: string, phoneNumber: string): Promise<string | null>
  /** Scopes that may have waiting orders; read by the sweep. */
  listScopes(): Promise<string[]>
  /** Makes the scope known to the sweep; harmless when repeated. */
  registerScope(scope: string): Promise<void>

  /** Whether an order that is not final yet is conducted with this assistant. */
  isAssistantInUse(assistantId: string): Promise<boolean>
  /** The kinds of an assistant's orders whose first attempt has not begun. */
  listKindsNotBegun(assistantId: string): Promise<OrderKind[]>
  /** How many orders of a kind have not begun; their variables may be named in any order. */
  countNotBegun(assistantId: string, kind: OrderKind): Promise<number>

  /** Live attempts whose lease ran out, longest overdue first. */
  listExpiredLeases(now: number, limit: number): Promise<{ orderId: string; number: number }[]>
  /** Prolongs the lease while `fence` still owns the attempt; false when it does not (any more). */
  extendLease(orderId: string, number: number, fence: number, leaseUntil: number): Promise<boolean>

  /** Adds one line of the conversation while it runs; `index` from 0 makes repeats harmless. */
  appendTranscript(
    orderId: string,
    number: number,
    index: number,
    entry: TranscriptEntry,
  ): Promise<void>

  /** Effects stored before `createdBefore` and not yet marked done, oldest first. */
  listUndone(createdBefore: number, limit: number): Promise<StoredEffect[]>
  /** Harmless when repeated. */
  markDone(effect: StoredEffect): Promise<void>
}
