import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { RowStats } from '#shared/domain/campaign/campaign.ts'
import { addRowStats, NO_ROWS, rowStatsDelta } from '#shared/domain/campaign/row-stats.ts'

import type { Item, Write } from './dynamo-table.ts'
import { campaignKeys } from './table.ts'

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

/** New rows of one campaign are counted with one write. */
export function countingNewWrites(orders: readonly CallOrder[]): Write[] {
  const [first] = orders
  if (first === undefined) return []
  const sum = orders.map((order) => rowStatsDelta(null, order)).reduce(addRowStats, NO_ROWS)
  return addToCounters(first, sum)
}

function addToCounters(order: CallOrder, delta: RowStats): Write[] {
  const names = COUNTERS.filter((name) => delta[name] !== 0)
  if (order.campaign === null || names.length === 0) return []
  const key = campaignKeys.counters(order.campaign.campaignId, order.id)
  return [
    (TableName) => ({
      Update: {
        TableName,
        Key: key,
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
