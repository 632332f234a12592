/**
 * The table and the keys of its items; those of its indexes stand in `index-keys.ts`, and nobody else
 * knows how keys are written. Read by the repositories, by local table creation and by the CDK table,
 * so nothing here may import an SDK. The key table with the reasons stands in README.md.
 */

import { crc32 } from 'node:zlib'

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

const counterShard = (campaignId: string, shard: number): ItemKey => ({
  pk: `CMP#${campaignId}`,
  sk: `STAT#${padded(shard, 2)}`,
})

export const campaignKeys = {
  head: (campaignId: string): ItemKey => ({ pk: `CMP#${campaignId}`, sk: 'META' }),
  /** What visual numbers are counted with. */
  sequence: (campaignId: string): ItemKey => ({ pk: `CMP#${campaignId}`, sk: 'SEQ' }),
  /** What the rows are doing: the counters are the sums over all shards. */
  counters: (campaignId: string, orderId: string): ItemKey =>
    counterShard(campaignId, crc32(orderId) % COUNTER_SHARD_COUNT),
  everyCounter: (campaignId: string): ItemKey[] =>
    Array.from({ length: COUNTER_SHARD_COUNT }, (_, shard) => counterShard(campaignId, shard)),
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

/** The orders to a number that would be called again, by when they were called last. */
export const retryPendingKeys = {
  order: (pending: {
    readonly organizationId: string
    readonly phoneNumber: string
    readonly since: number
    readonly orderId: string
  }): ItemKey => ({
    pk: `CB#${pending.organizationId}#${pending.phoneNumber}`,
    sk: `${padded(Math.floor(pending.since), 15)}#${pending.orderId}`,
  }),
  all: (organizationId: string, phoneNumber: string): KeyRange => ({
    pk: `CB#${organizationId}#${phoneNumber}`,
    from: '0',
    to: '~',
  }),
}

export const permitKeys = {
  shard: (scope: string, shard: number): ItemKey => ({
    pk: `SEM#${scope}`,
    sk: `S#${padded(shard, 3)}`,
  }),
  /** What its cap is, whatever requests say. */
  cap: (scope: string): ItemKey => ({ pk: `SEM#${scope}`, sk: 'CAP' }),
  all: (scope: string): KeyRange => ({ pk: `SEM#${scope}`, from: 'CAP', to: 'S#~' }),
}

/** Who waits for a permit, and what each party got. */
export const turnKeys = {
  waiter: (permit: string, scope: string): ItemKey => ({ pk: `TURN#${permit}`, sk: `W#${scope}` }),
  share: (permit: string, party: string): ItemKey => ({ pk: `TURN#${permit}`, sk: `P#${party}` }),
  all: (permit: string): KeyRange => ({ pk: `TURN#${permit}`, from: 'P#', to: 'W#~' }),
}

export const wakeKey = (scope: string): ItemKey => ({ pk: `WAKE#${scope}`, sk: 'META' })

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

function attemptPrefix(number: number): string {
  return `ATT#${padded(number, 3)}`
}

/** So that text sorts like numbers. */
export function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0')
}
