/** The few things repositories do with the table; what can go wrong below them is answered here. */

import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

import { ConditionalCheckFailedException, DynamoDBServiceException } from '@aws-sdk/client-dynamodb'
import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import type {
  DynamoDBDocumentClient,
  QueryCommandInput,
  QueryCommandOutput,
  TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb'

import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { SaveResult } from '#shared/ports/change.ts'

import { timelineBound, timelinePartitions } from './index-keys.ts'
import { type ItemKey, type KeyRange } from './table.ts'
import {
  isLostCondition,
  isPassing,
  withConflictRetry,
  type RetryMeans,
} from './with-conflict-retry.ts'

/** Where a repository keeps its items. Chance and waiting are real unless a test gives its own. */
export interface DynamoTable extends Partial<RetryMeans> {
  readonly client: DynamoDBDocumentClient
  readonly tableName: string
}

export type Item = Readonly<Record<string, unknown>>

/** One part of a transaction. */
export type Write = (
  tableName: string,
) => NonNullable<TransactWriteCommandInput['TransactItems']>[0]

/** Reads what was last written. */
export async function getItem(table: DynamoTable, key: ItemKey): Promise<Item | null> {
  const { client, tableName: TableName } = table
  const answer = await answered(() =>
    client.send(new GetCommand({ TableName, Key: key, ConsistentRead: true })),
  )
  return answer.Item ?? null
}

/** Reads a range of one partition as it was last written, page by page to the end. */
export async function queryRange(
  table: DynamoTable,
  range: KeyRange,
  options: {
    readonly descending?: boolean
    readonly limit?: number
    readonly filter?: { readonly expression: string; readonly values: Item }
  } = {},
): Promise<Item[]> {
  const { filter } = options
  const { pk, from, to } = range
  return queryPages(table, options.limit, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    FilterExpression: filter?.expression,
    ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to, ...filter?.values },
    ScanIndexForward: options.descending !== true,
    ConsistentRead: true,
  })
}

/**
 * What stands on a timeline before `before` (epoch ms; absent: everything), earliest first. The
 * index follows the table within moments: what it says must be checked where it matters.
 */
export async function queryTimeline(
  table: DynamoTable,
  timeline: string,
  options: { readonly before?: number; readonly limit: number },
): Promise<Item[]> {
  const { before, limit } = options
  const pages = timelinePartitions(timeline).map((partition) =>
    queryPages(table, limit, {
      IndexName: 'gsi3',
      KeyConditionExpression: `gsi3pk = :pk${before === undefined ? '' : ' AND gsi3sk < :bound'}`,
      ExpressionAttributeValues: {
        ':pk': partition,
        ...(before !== undefined && { ':bound': timelineBound(before) }),
      },
    }),
  )
  const items = (await Promise.all(pages)).flat()
  return items.sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1)).slice(0, limit)
}

const sortKey = (item: Item) => String(item['gsi3sk'])

/** A stretch of one partition of an index, both ends included, and what its items must meet. */
export interface IndexRange {
  readonly index: 'gsi1' | 'gsi2' | 'gsi3' | 'gsi4'
  readonly partition: string
  readonly from: string
  readonly to: string
  readonly filter?: {
    readonly expression: string
    readonly names: Readonly<Record<string, string>>
    readonly values: Item
  }
}

/** A filter drops items after they were read: this many are looked at with one request. */
const FILTERED_AT_ONCE = 1_000

/** Reads items of an index, which follows the table within moments, until there are enough. */
export async function queryIndex(
  table: DynamoTable,
  range: IndexRange,
  options: { readonly descending: boolean; readonly limit: number },
): Promise<Item[]> {
  return queryPages(table, options.limit, {
    ...indexQuery(range),
    ScanIndexForward: !options.descending,
    ...(range.filter && { Limit: FILTERED_AT_ONCE }),
  })
}

/** The first item of each group of an index, jumping over the rest of it, however many there are. */
export async function* firstOfGroups(
  table: DynamoTable,
  range: IndexRange,
  /** Sorts behind the whole group of the item with this sort key. */
  behind: (sortKey: string) => string,
): AsyncGenerator<{ readonly item: Item; readonly sortKey: string }> {
  for (let { from } = range; ;) {
    const [item] = await queryIndex(table, { ...range, from }, { descending: false, limit: 1 })
    if (item === undefined) return
    const sortKey = String(item[`${range.index}sk`])
    yield { item, sortKey }
    from = behind(sortKey)
  }
}

/** Counts items of an index without fetching them. */
export async function countIndex(table: DynamoTable, range: IndexRange): Promise<number> {
  let count = 0
  for await (const page of pagesOf(table, { ...indexQuery(range), Select: 'COUNT' })) {
    count += page.Count ?? 0
  }
  return count
}

function indexQuery({ index, partition, from, to, filter }: IndexRange): TableQuery {
  return {
    IndexName: index,
    KeyConditionExpression: `${index}pk = :pk AND ${index}sk BETWEEN :from AND :to`,
    FilterExpression: filter?.expression,
    ExpressionAttributeNames: filter?.names,
    ExpressionAttributeValues: { ':pk': partition, ':from': from, ':to': to, ...filter?.values },
  }
}

type TableQuery = Omit<QueryCommandInput, 'TableName'>

async function queryPages(
  table: DynamoTable,
  limit: number | undefined,
  query: TableQuery,
): Promise<Item[]> {
  const items: Item[] = []
  for await (const page of pagesOf(table, { Limit: limit, ...query })) {
    items.push(...(page.Items ?? []))
    if (limit !== undefined && items.length >= limit) break
  }
  return items.slice(0, limit)
}

async function* pagesOf(table: DynamoTable, query: TableQuery): AsyncGenerator<QueryCommandOutput> {
  let startKey: Item | undefined
  do {
    const command = new QueryCommand({
      ...query,
      TableName: table.tableName,
      ExclusiveStartKey: startKey,
    })
    const page = await answered(() => table.client.send(command))
    yield page
    startKey = page.LastEvaluatedKey
  } while (startKey !== undefined)
}

/**
 * Stores everything or nothing. One token for all repetitions, the SDK's after a lost answer and
 * ours after a conflict: a transaction that went through unheard is not decided a second time.
 */
export async function transact(table: DynamoTable, writes: readonly Write[]): Promise<SaveResult> {
  if (writes.length === 0) return { kind: 'saved' }
  const command = new TransactWriteCommand({
    TransactItems: writes.map((write) => write(table.tableName)),
    ClientRequestToken: randomUUID(),
  })
  try {
    await written(table, () => table.client.send(command))
    return { kind: 'saved' }
  } catch (error) {
    if (isLostCondition(error)) return { kind: 'conflict' }
    throw error
  }
}

/** Part of a transaction: stores an item, whatever stood in its place. */
export function put(item: Item): Write {
  return (TableName) => ({ Put: { TableName, Item: item } })
}

/** Part of a transaction: stores an item that must not exist yet. */
export function create(item: Item): Write {
  return (TableName) => ({
    Put: { TableName, Item: item, ConditionExpression: 'attribute_not_exists(pk)' },
  })
}

/** Part of a transaction: there is no such item afterwards. */
export function erase(key: ItemKey): Write {
  return (TableName) => ({ Delete: { TableName, Key: key } })
}

/**
 * Part of a transaction: sets attributes of an item whose version is still `before.version`, or that
 * does not exist yet. What is undefined is removed; what is not named stays.
 */
export function setIfVersion(
  key: ItemKey,
  attributes: Item,
  before: { readonly version: number } | null,
): Write {
  const names = Object.keys(attributes)
  const set = names.filter((name) => attributes[name] !== undefined)
  const removed = names.filter((name) => attributes[name] === undefined)
  return (TableName) => ({
    Update: {
      TableName,
      Key: key,
      UpdateExpression: [
        `SET ${set.map((name) => `#${name} = :${name}`).join(', ')}`,
        ...(removed.length > 0 ? [`REMOVE ${removed.map((name) => `#${name}`).join(', ')}`] : []),
      ].join(' '),
      ConditionExpression:
        before === null ? 'attribute_not_exists(pk)' : '#version = :versionBefore',
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ...Object.fromEntries(set.map((name) => [`:${name}`, attributes[name]])),
        ...(before !== null && { ':versionBefore': before.version }),
      },
    },
  })
}

/** Part of a transaction: erases an item whose version is still that. */
export function eraseIfVersion(key: ItemKey, version: number): Write {
  return (TableName) => ({
    Delete: {
      TableName,
      Key: key,
      ConditionExpression: '#version = :version',
      ExpressionAttributeNames: { '#version': 'version' },
      ExpressionAttributeValues: { ':version': version },
    },
  })
}

/** Stores one item, whatever stood in its place. */
export async function putItem(table: DynamoTable, item: Item): Promise<void> {
  const { client, tableName: TableName } = table
  await written(table, () => client.send(new PutCommand({ TableName, Item: item })))
}

export async function deleteItem(table: DynamoTable, key: ItemKey): Promise<void> {
  const { client, tableName: TableName } = table
  await written(table, () => client.send(new DeleteCommand({ TableName, Key: key })))
}

/** False when there was none. */
export async function deleteIfThere(table: DynamoTable, key: ItemKey): Promise<boolean> {
  const { client, tableName: TableName } = table
  const command = new DeleteCommand({ TableName, Key: key, ReturnValues: 'ALL_OLD' })
  const answer = await written(table, () => client.send(command))
  return answer.Attributes !== undefined
}

export interface ConditionalUpdate {
  readonly key: ItemKey
  readonly update: string
  readonly condition: string
  readonly names?: Readonly<Record<string, string>>
  readonly values?: Item
}

/** Changes one item if the condition holds; false when it does not. */
export async function updateIf(table: DynamoTable, change: ConditionalUpdate): Promise<boolean> {
  return (await updatedIf(table, change)) !== null
}

/** The same, and gives the attributes that were set, as they are now; null when it did not hold. */
export async function updatedIf(
  table: DynamoTable,
  change: ConditionalUpdate,
): Promise<Item | null> {
  const command = new UpdateCommand({
    TableName: table.tableName,
    Key: change.key,
    UpdateExpression: change.update,
    ConditionExpression: change.condition,
    ExpressionAttributeNames: change.names,
    ExpressionAttributeValues: change.values,
    ReturnValues: 'UPDATED_NEW',
  })
  try {
    const answer = await written(table, () => table.client.send(command))
    return answer.Attributes ?? {}
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return null
    throw error
  }
}

const DAY_SECS = 86_400

/** The `ttl` of an item that is garbage after some days, by the real clock: DynamoDB goes by it. */
export function garbageIn(days: number): number {
  return Math.ceil(Date.now() / 1000) + days * DAY_SECS
}

function written<T>(table: DynamoTable, write: () => Promise<T>): Promise<T> {
  const { random = Math.random, sleep = (ms) => wait(ms) } = table
  return answered(() => withConflictRetry(write, { random, sleep }))
}

/** Busy, not wrong: DynamoDB's own errors that a repetition may cure. */
const BUSY_ERRORS: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionInProgressException',
])

/** A failed condition is an answer; every other failure of DynamoDB or of the way to it is not. */
export async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException || isLostCondition(error)) throw error
    throw toAdapterError(error)
  }
}

function toAdapterError(error: unknown): unknown {
  if (error instanceof DynamoDBServiceException) {
    const retryable = error.$fault === 'server' || BUSY_ERRORS.has(error.name) || isPassing(error)
    const status = error.$metadata.httpStatusCode ?? null
    return new AdapterError(`DynamoDB: ${error.name}`, { retryable, status, cause: error })
  }
  const isNetwork = error instanceof Error && ('code' in error || error.name === 'TimeoutError')
  return isNetwork
    ? new AdapterError('DynamoDB cannot be reached', { retryable: true, cause: error })
    : error
}
