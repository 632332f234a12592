import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { RowStats } from '#shared/domain/campaign/campaign.ts'
import { addRowStats, NO_ROWS, rowStatsDelta } from '#shared/domain/campaign/row-stats.ts'

import { garbageIn, type Item, type Write } from './dynamo-table.ts'
import { campaignKeys } from './table.ts'

/** Nobody who began to store rows before a campaign was closed is still at it then. */
const CLOSED_DAYS = 30

const COUNTERS = Object.keys(NO_ROWS) as (keyof RowStats)[]

/** What a change of an order means to the row counters of its campaign; nothing without one. */
export function countingWrites(change: {
  readonly before: CallOrder | null
  readonly after: CallOrder | null
}): Write[] {
  const order = change.after ?? change.before
  if (order === null || order.campaign === null) return []
  return addToCounters(order, rowStatsDelta(change.before, change.after))
}

/** New rows of one campaign are counted with one write, which fails when it is closed. */
export function countingNewWrites(orders: readonly CallOrder[]): Write[] {
  const [first] = orders
  if (first === undefined) return []
  const sum = orders.map((order) => rowStatsDelta(null, order)).reduce(addRowStats, NO_ROWS)
  return addToCounters(first, sum, 'attribute_not_exists(isClosed)')
}

/** Every shard of the counters refuses new rows; they go when nobody can bring any. */
export function closingWrites(campaignId: string): Write[] {
  return campaignKeys.everyCounter(campaignId).map((Key) => (TableName) => ({
    Update: {
      TableName,
      Key,
      UpdateExpression: 'SET isClosed = :true, #ttl = :ttl',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':true': true, ':ttl': garbageIn(CLOSED_DAYS) },
    },
  }))
}

function addToCounters(order: CallOrder, delta: RowStats, condition?: string): Write[] {
  const names = COUNTERS.filter((name) => delta[name] !== 0)
  if (order.campaign === null || names.length === 0) return []
  const key = campaignKeys.counters(order.campaign.campaignId, order.id)
  return [
    (TableName) => ({
      Update: {
        TableName,
        Key: key,
        ...(condition !== undefined && { ConditionExpression: condition }),
        UpdateExpression: `ADD ${names.map((name) => `#${name} :${name}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: Object.fromEntries(
          names.map((name) => [`:${name}`, delta[name]]),
        ),
      },
    }),
  ]
}

/** The counters of a campaign, from the items of all shards. */
export function sumOfCounters(items: readonly Item[]): RowStats {
  return items
    .map((item): RowStats => {
      const count = (name: keyof RowStats) => (item[name] as number | undefined) ?? 0
      return {
        calling: count('calling'),
        completed: count('completed'),
        failed: count('failed'),
        pending: count('pending'),
        retry: count('retry'),
        total: count('total'),
      }
    })
    .reduce(addRowStats, NO_ROWS)
}
