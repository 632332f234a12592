/**
 * How orders, attempts and deliveries are stored: a small head that every change rewrites and, where
 * a record has large or free-form parts, a document beside it that is written only when it changes.
 * The document is JSON, compressed when that pays, in as many items as it needs.
 */

import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

import { AdapterError } from '#shared/ports/adapter-error.ts'

import { put, setIfVersion, type Item, type Write } from './dynamo-table.ts'
import { chunkKey, TABLE, type IndexKeys, type ItemKey } from './table.ts'

/** JSON as text, or compressed. */
export type Packed = string | Uint8Array

/** Below this, text costs no more than compressed bytes and can be read in the console. */
const TEXT_LENGTH_MAX = 1_000
/** An item holds 400 KB, its names and keys included. */
const CHUNK_BYTES = 350_000

const compress = promisify(gzip)
const decompress = promisify(gunzip)

export async function pack(value: unknown): Promise<Packed> {
  const json = JSON.stringify(value)
  return json.length <= TEXT_LENGTH_MAX ? json : compress(json)
}

export async function unpack<T>(packed: Packed): Promise<T> {
  const json = typeof packed === 'string' ? packed : (await decompress(packed)).toString()
  return JSON.parse(json) as T
}

/**
 * The writes that store a record if its version is still that of `before`. `document` is absent when
 * what is stored is to stay.
 */
export async function recordWrites(record: {
  readonly before: { readonly version: number } | null
  readonly version: number
  readonly key: ItemKey
  readonly indexKeys: IndexKeys
  readonly head: Item
  readonly documentKey: ItemKey
  readonly document?: unknown
  /** Attributes that the items of the document carry too. */
  readonly label?: Item
}): Promise<Write[]> {
  const { version, document } = record
  const chunks = document === undefined ? [] : cut(await pack(document))
  const attributes = {
    ...record.head,
    ...record.indexKeys,
    part: 'head',
    ...(document !== undefined && { document: { version, chunks: chunks.length } }),
  }
  return [
    setIfVersion(record.key, attributes, record.before),
    ...chunks.map((data, index) =>
      put({
        ...chunkKey(record.documentKey, index),
        ...record.label,
        part: 'document',
        version,
        data,
      }),
    ),
  ]
}

function cut(packed: Packed): Packed[] {
  if (typeof packed === 'string') return [packed]
  const count = Math.ceil(packed.length / CHUNK_BYTES)
  return Array.from({ length: count }, (_, index) =>
    packed.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES),
  )
}

/** A query is no snapshot: it may see one item from before a transaction and another from after. */
export const TORN = Symbol('torn')

export interface ReadRecord<Document> {
  readonly head: Item
  /** Null when none was ever stored. */
  readonly document: Document | null
  readonly lines: readonly Item[]
}

/** Puts the items of one record together again; null without a head. */
export async function readRecord<Document>(
  items: readonly Item[],
): Promise<ReadRecord<Document> | null | typeof TORN> {
  const head = items.find(({ part }) => part === 'head')
  if (head === undefined) return null
  const lines = items.filter(({ part }) => part === 'line')
  const stored = head['document'] as { version: number; chunks: number } | undefined
  if (stored === undefined) return { head: attributesOf(head), document: null, lines }
  const chunks = items.filter(({ part }) => part === 'document').slice(0, stored.chunks)
  const isWhole =
    chunks.length === stored.chunks && chunks.every(({ version }) => version === stored.version)
  if (!isWhole) return TORN
  const document = await unpack<Document>(join(chunks.map(({ data }) => data as Packed)))
  return { head: attributesOf(head), document, lines }
}

function join(pieces: readonly Packed[]): Packed {
  const [first = ''] = pieces
  return typeof first === 'string' ? first : Buffer.concat(pieces as Uint8Array[])
}

const LOOKS_MAX = 5

/** Reads again what was read in the middle of a transaction. */
export async function readUntorn<T>(read: () => Promise<T | typeof TORN>): Promise<T> {
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const found = await read()
    if (found !== TORN) return found
  }
  throw new AdapterError('A record changed each time it was read', { retryable: true })
}

const BOOKKEEPING: ReadonlySet<string> = new Set([
  ...[TABLE, ...TABLE.indexes].flatMap((keys) => [keys.partitionKey, keys.sortKey]),
  TABLE.ttlAttribute,
  'part',
  'document',
  'listed',
])

/** An item without what only the table needs. */
export function attributesOf(item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !BOOKKEEPING.has(name)))
}
