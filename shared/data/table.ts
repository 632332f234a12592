/**
 * The table, and the only place that knows how its keys are written. Read by the repositories, by
 * local table creation and by the CDK table, so nothing here may import an SDK. The key table with
 * the reasons stands in README.md.
 */

import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

import type { CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import { FINAL_STATUSES, type CallOrder } from '#shared/domain/call-order/order.ts'
import { callRowOf } from '#shared/domain/call-search/call-row.ts'
import type { WebhookDelivery } from '#shared/domain/webhook-delivery.ts'
import type { OrderKind, StoredEffect } from '#shared/ports/call-store.ts'

/** The row of a call (`CallRow`): what lists filter by, without reading the calls themselves. */
const CALL_LIST_COLUMNS = ['id', 'createdAt', 'listed'] as const

/** All key attributes are strings; every index contains only `projected` besides the keys. */
export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds. For garbage only: nothing may depend on when an item disappears. */
  ttlAttribute: 'ttl',
  indexes: [
    /** An organization's calls by creation. */
    { name: 'gsi1', partitionKey: 'gsi1pk', sortKey: 'gsi1sk', projected: CALL_LIST_COLUMNS },
    /** An organization's calls with one number by creation. */
    { name: 'gsi2', partitionKey: 'gsi2pk', sortKey: 'gsi2sk', projected: CALL_LIST_COLUMNS },
    /** Timelines: what has to be looked at, by when. Items are in it only while that is so. */
    {
      name: 'gsi3',
      partitionKey: 'gsi3pk',
      sortKey: 'gsi3sk',
      projected: ['id', 'orderId', 'number', 'dueAt', 'effect', 'createdAt'],
    },
    /** Orders that still need their assistant: those not begun by kind, then the others. */
    { name: 'gsi4', partitionKey: 'gsi4pk', sortKey: 'gsi4sk', projected: ['id'] },
  ],
} as const

export type ItemKey = Readonly<Record<'pk' | 'sk', string>>

/** All sort keys of one partition from `from` to `to`, both included. */
export interface KeyRange {
  readonly pk: string
  readonly from: string
  readonly to: string
}

/** Undefined means: not in that index. */
export type IndexKeys = {
  readonly [Name in `gsi${1 | 2 | 3 | 4}${'pk' | 'sk'}`]?: string | undefined
}

export const orderKeys = {
  head: (orderId: string): ItemKey => ({ pk: `CALL#${orderId}`, sk: 'META' }),
  document: (orderId: string): ItemKey => ({ pk: `CALL#${orderId}`, sk: 'CFG' }),
  effect: (orderId: string, id: string): ItemKey => ({ pk: `CALL#${orderId}`, sk: `OUT#${id}` }),
  /** Head and document. */
  order: (orderId: string): KeyRange => ({ pk: `CALL#${orderId}`, from: 'CFG', to: 'META' }),
  /** The order and its attempts, without the outbox. */
  call: (orderId: string): KeyRange => ({ pk: `CALL#${orderId}`, from: 'ATT#', to: 'META' }),
}

export const attemptKeys = {
  head: (orderId: string, number: number): ItemKey => ({
    pk: `CALL#${orderId}`,
    sk: attemptPrefix(number),
  }),
  document: (orderId: string, number: number): ItemKey => ({
    pk: `CALL#${orderId}`,
    sk: `${attemptPrefix(number)}#DOC`,
  }),
  line: (orderId: string, number: number, index: number): ItemKey => ({
    pk: `CALL#${orderId}`,
    sk: `${attemptPrefix(number)}#T#${padded(index, 5)}`,
  }),
  /** Head, document and live transcript. */
  attempt: (orderId: string, number: number): KeyRange => ({
    pk: `CALL#${orderId}`,
    from: attemptPrefix(number),
    to: `${attemptPrefix(number)}#~`,
  }),
}

export const assistantKeys = {
  current: (organizationId: string, assistantId: string): ItemKey => ({
    pk: `ORG#${organizationId}`,
    sk: `AST#${assistantId}`,
  }),
  version: (assistantId: string, version: number): ItemKey => ({
    pk: `AST#${assistantId}`,
    sk: `V#${padded(version, 7)}`,
  }),
  /** Up to the given one, or all. */
  upTo: (organizationId: string, assistantId: string | null): KeyRange => ({
    pk: `ORG#${organizationId}`,
    from: 'AST#',
    to: `AST#${assistantId ?? '~'}`,
  }),
}

export const organizationKeys = {
  organization: (organizationId: string): ItemKey => ({ pk: `ORG#${organizationId}`, sk: 'META' }),
  user: (organizationId: string, userId: string): ItemKey => ({
    pk: `ORG#${organizationId}`,
    sk: `USER#${userId}`,
  }),
  apiKey: (hash: string): ItemKey => ({ pk: `KEY#${hash}`, sk: 'META' }),
}

export const campaignKeys = {
  head: (campaignId: string): ItemKey => ({ pk: `CMP#${campaignId}`, sk: 'META' }),
  /** What visual numbers are counted with. */
  sequence: (campaignId: string): ItemKey => ({ pk: `CMP#${campaignId}`, sk: 'SEQ' }),
  /** What the rows are doing: the counters are the sums over all shards. */
  counters: (campaignId: string, orderId: string): ItemKey => ({
    pk: `CMP#${campaignId}`,
    sk: `STAT#${padded(crc32(orderId) % COUNTER_SHARD_COUNT, 2)}`,
  }),
  allCounters: (campaignId: string): KeyRange => ({
    pk: `CMP#${campaignId}`,
    from: 'STAT#',
    to: 'STAT#~',
  }),
  /** Says that the organization has it. */
  entry: (organizationId: string, campaignId: string): ItemKey => ({
    pk: `ORG#${organizationId}`,
    sk: `CMP#${campaignId}`,
  }),
  /** Entries up to the given one, or all. */
  upTo: (organizationId: string, campaignId: string | null): KeyRange => ({
    pk: `ORG#${organizationId}`,
    from: 'CMP#',
    to: `CMP#${campaignId ?? '~'}`,
  }),
}

/** So many rows of one campaign can change at the same moment without meeting on a counter. */
const COUNTER_SHARD_COUNT = 16

/** The kinds of small records that stand with their organization. */
export type OwnedKind = 'CONN' | 'WHEP' | 'SUPP' | 'KEY' | 'NUM'

export const ownedKeys = {
  record: (organizationId: string, kind: OwnedKind, id: string): ItemKey => ({
    pk: `ORG#${organizationId}`,
    sk: `${kind}#${id}`,
  }),
  /** Up to the given one, or all. */
  upTo: (organizationId: string, kind: OwnedKind, id: string | null): KeyRange => ({
    pk: `ORG#${organizationId}`,
    from: `${kind}#`,
    to: `${kind}#${id ?? '~'}`,
  }),
}

export const phoneNumberKeys = {
  /** Whose number it is. */
  owner: (e164: string): ItemKey => ({ pk: `E164#${e164}`, sk: 'META' }),
  /** Which number the organization calls from where nothing else is said. */
  default: (organizationId: string): ItemKey => ({
    pk: `ORG#${organizationId}`,
    sk: 'DEFAULT_NUMBER',
  }),
}

export const webhookKeys = {
  head: (deliveryId: string): ItemKey => ({ pk: `WEBHOOK#${deliveryId}`, sk: 'META' }),
  document: (deliveryId: string): ItemKey => ({ pk: `WEBHOOK#${deliveryId}`, sk: 'BODY' }),
  delivery: (deliveryId: string): KeyRange => ({
    pk: `WEBHOOK#${deliveryId}`,
    from: 'BODY',
    to: 'META',
  }),
}

export const permitKeys = {
  shard: (scope: string, shard: number): ItemKey => ({
    pk: `SEM#${scope}`,
    sk: `S#${padded(shard, 3)}`,
  }),
  all: (scope: string): KeyRange => ({ pk: `SEM#${scope}`, from: 'S#', to: 'S#~' }),
}

export const pacingKey = (trunk: string): ItemKey => ({ pk: `RATE#TRUNK#${trunk}`, sk: 'META' })

export const bucketKey = (bucket: string): ItemKey => ({ pk: `RATE#BUCKET#${bucket}`, sk: 'META' })

export const idempotencyKey = (id: string): ItemKey => ({ pk: `IDEM#${id}`, sk: 'META' })

export const scopeKeys = {
  scope: (scope: string): ItemKey => ({ pk: 'SCOPES', sk: scope }),
  all: (): KeyRange => ({ pk: 'SCOPES', from: ' ', to: '~' }),
}

/** The n-th piece of a document. */
export const chunkKey = (document: ItemKey, index: number): ItemKey => ({
  pk: document.pk,
  sk: `${document.sk}#${padded(index, 3)}`,
})

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

function attemptPrefix(number: number): string {
  return `ATT#${padded(number, 3)}`
}

/** Epoch ms, so that text sorts like time up to the year 9999; a fraction counts as not reached yet. */
function moment(at: number): string {
  return padded(Math.ceil(at), 15)
}

function month(at: number): string {
  return new Date(at).toISOString().slice(0, 7).replace('-', '')
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0')
}
