/** The keys of the items in the indexes, and the stretches of them that are read. */

import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

import type { CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import { FINAL_STATUSES, type CallOrder } from '#shared/domain/call-order/order.ts'
import { callRowOf } from '#shared/domain/call-search/call-row.ts'
import type { WebhookDelivery } from '#shared/domain/webhook-delivery.ts'
import type { OrderKind, StoredEffect } from '#shared/ports/call-store.ts'

import { padded } from './table.ts'
import type { IndexKeys } from './table.ts'

/** What stands in gsi3; each is spread over `SHARD_COUNT` partitions. */
export const timelines = {
  /** Waiting orders of a scope by `dueAt`. */
  waiting: (scope: string): string => `RDY#${scope}`,
  /** An organization's blocked orders by permit, then `dueAt`. */
  blocked: (organizationId: string): string => `BLOCKED#${organizationId}`,
  /** Live attempts by `leaseUntil`. */
  leases: 'LEASE',
  /** Effects by `createdAt`, until they are done. */
  outbox: 'OUTBOX',
  /** Pending deliveries by `dueAt`. */
  webhooks: 'WEBHOOK',
}

/** One partition of an index takes 1,000 writes per second; raising this needs a re-index. */
const SHARD_COUNT = 1

export const timelinePartitions = (timeline: string): string[] =>
  Array.from({ length: SHARD_COUNT }, (_, shard) => `${timeline}#${shard}`)

/** Sorts before everything in a timeline that happens at `at` or later. */
export const timelineBound = (at: number): string => moment(at)

export function orderIndexKeys(order: CallOrder): IndexKeys {
  const { id, organizationId, createdAt } = order
  const { phoneNumber } = callRowOf(order)
  const byCreation = callListKey(order)
  return {
    gsi1pk: callListPartition(organizationId, createdAt, shardOf(id)),
    gsi1sk: byCreation,
    gsi2pk: phoneNumber === null ? undefined : callsOfNumberPartition(organizationId, phoneNumber),
    gsi2sk: phoneNumber === null ? undefined : byCreation,
    ...waitingKeys(order),
    ...assistantUseKeys(order),
  }
}

function waitingKeys({ id, organizationId, scope, dueAt, blockedBy }: CallOrder): IndexKeys {
  if (blockedBy === null) return onTimeline(timelines.waiting(scope), dueAt, id)
  const { gsi3pk, gsi3sk } = onTimeline(timelines.blocked(organizationId), dueAt, id)
  return { gsi3pk, gsi3sk: gsi3sk && `${hashOf(blockedBy)}#${gsi3sk}` }
}

/** Which orders of an organization are blocked, in gsi3: one stretch per partition. */
export const blockedOrders = {
  everything: (organizationId: string) => blockedIn(organizationId, '0', '~'),
  byPermit: (organizationId: string, permit: string) =>
    blockedIn(organizationId, `${hashOf(permit)}#`, `${hashOf(permit)}#~`),
  /** Sorts behind all orders that are blocked by the same permit as the one with this key. */
  behindPermit: (sortKey: string): string => `${sortKey.split('#')[0]}#~`,
}

function blockedIn(organizationId: string, from: string, to: string) {
  return timelinePartitions(timelines.blocked(organizationId)).map((partition) => ({
    index: 'gsi3' as const,
    partition,
    from,
    to,
  }))
}

function assistantUseKeys(order: CallOrder): IndexKeys {
  const { id, assistant, attemptsMade } = order
  if (assistant.kind === 'inline' || FINAL_STATUSES.has(order.status)) {
    return { gsi4pk: undefined, gsi4sk: undefined }
  }
  const kind = { version: assistant.version, variables: Object.keys(order.promptVariables) }
  return {
    gsi4pk: `AST#${assistant.assistantId}#${shardOf(id)}`,
    gsi4sk: attemptsMade === 0 ? `${kindPrefix(kind)}#${id}` : `RUN#${id}`,
  }
}

function kindPrefix({ version, variables }: OrderKind): string {
  return `NEW#${padded(version, 7)}#${hashOf(JSON.stringify(variables.toSorted()))}`
}

/** Stands for texts of any length and letters in sort keys. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** Who uses an assistant, in gsi4: one stretch per partition. */
export const assistantUse = {
  everything: (assistantId: string) => usesOf(assistantId, '!', '~'),
  notBegun: (assistantId: string) => usesOf(assistantId, 'NEW#', 'NEW#~'),
  ofKind: (assistantId: string, kind: OrderKind) =>
    usesOf(assistantId, `${kindPrefix(kind)}#`, `${kindPrefix(kind)}#~`),
  /** Sorts behind all orders of the same kind as the one with this key. */
  behindKind: (sortKey: string): string => `${sortKey.slice(0, sortKey.lastIndexOf('#'))}#~`,
  versionIn: (sortKey: string): number => Number(sortKey.split('#')[1]),
}

function usesOf(assistantId: string, from: string, to: string) {
  return timelinePartitions(`AST#${assistantId}`).map((partition) => ({
    index: 'gsi4' as const,
    partition,
    from,
    to,
  }))
}

export function attemptIndexKeys(
  attempt: Pick<CallAttempt, 'orderId' | 'number' | 'leaseUntil'>,
): IndexKeys {
  const { orderId, number, leaseUntil } = attempt
  return onTimeline(timelines.leases, leaseUntil, `${orderId}#${number}`)
}

export function effectIndexKeys(stored: StoredEffect): IndexKeys {
  return onTimeline(timelines.outbox, stored.createdAt, `${stored.orderId}#${stored.id}`)
}

export function webhookIndexKeys(delivery: WebhookDelivery): IndexKeys {
  const dueAt = delivery.status === 'pending' ? delivery.dueAt : null
  return onTimeline(timelines.webhooks, dueAt, delivery.id)
}

/** Where an organization's calls of some time are listed: by month, each spread over its shards. */
export function callListPartitions(
  organizationId: string,
  time: { readonly createdFrom: number; readonly createdTo: number },
): string[][] {
  const last = new Date(time.createdTo)
  const months: string[][] = []
  for (
    let first = new Date(time.createdFrom);
    monthNumber(first) <= monthNumber(last);
    first = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1))
  ) {
    months.push(
      Array.from({ length: SHARD_COUNT }, (_, shard) =>
        callListPartition(organizationId, first.getTime(), shard),
      ),
    )
  }
  return months
}

/** Where an organization's calls with one number are listed. */
export function callsOfNumberPartition(organizationId: string, phoneNumber: string): string {
  return `ORG#${organizationId}#NUM#${phoneNumber}`
}

/** Sort keys of the lists of calls: of a call, or before all calls of a moment and later. */
export function callListKey(position: {
  readonly createdAt: number
  readonly id?: string
}): string {
  const { createdAt, id } = position
  return id === undefined ? moment(createdAt) : `${moment(createdAt)}#${id}`
}

function callListPartition(organizationId: string, at: number, shard: number): string {
  return `ORG#${organizationId}#CALLS#${month(at)}#${shard}`
}

function monthNumber(date: Date): number {
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

function onTimeline(timeline: string, at: number | null, id: string): IndexKeys {
  if (at === null) return { gsi3pk: undefined, gsi3sk: undefined }
  return { gsi3pk: `${timeline}#${shardOf(id)}`, gsi3sk: `${moment(at)}#${id}` }
}

function shardOf(id: string): number {
  return crc32(id) % SHARD_COUNT
}

/** Epoch ms, so that text sorts like time up to the year 9999; a fraction counts as not reached yet. */
function moment(at: number): string {
  return padded(Math.ceil(at), 15)
}

function month(at: number): string {
  return new Date(at).toISOString().slice(0, 7).replace('-', '')
}
