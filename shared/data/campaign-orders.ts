import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { CampaignOrders } from '#shared/ports/campaign-orders.ts'

import { orderFrom, orderWrites } from './call-records.ts'
import {
  deleteItem,
  erase,
  eraseIfVersion,
  queryRange,
  transact,
  type DynamoTable,
  type Item,
} from './dynamo-table.ts'
import { getItems } from './get-items.ts'
import { closingWrites, countingNewWrites, countingWrites, sumOfCounters } from './row-counters.ts'
import { readUntorn, TORN } from './stored-record.ts'
import { campaignKeys, chunkKey, orderKeys, scopeKeys, type ItemKey } from './table.ts'

/** What the call store on DynamoDB does for campaigns. */
export function campaignOrders(table: DynamoTable): CampaignOrders {
  return {
    findOrders: (orderIds) => findOrders(table, orderIds),
    createOrders: async (orders) => {
      const writes = await Promise.all(
        orders.map((order) => orderWrites({ before: null, after: order })),
      )
      return transact(table, [...writes.flat(), ...countingNewWrites(orders)])
    },
    eraseOrder: async (order) => {
      const items = await queryRange(table, orderKeys.order(order.id))
      const documents = items.filter(({ part }) => part === 'document')
      return transact(table, [
        eraseIfVersion(orderKeys.head(order.id), order.version),
        ...documents.map((item) => erase(keyOf(item))),
        ...countingWrites({ before: order, after: null }),
      ])
    },
    rowStats: async (campaignId) =>
      sumOfCounters(await queryRange(table, campaignKeys.allCounters(campaignId))),
    closeRows: async (campaignId) => {
      await transact(table, closingWrites(campaignId))
    },
    unregisterScope: (scope) => deleteItem(table, scopeKeys.scope(scope)),
  }
}

/** Most orders are a head and one piece of document; the others are read one by one. */
async function findOrders(table: DynamoTable, orderIds: readonly string[]): Promise<CallOrder[]> {
  const keys = orderIds.flatMap((id) => [orderKeys.head(id), chunkKey(orderKeys.document(id), 0)])
  const items = Map.groupBy(await getItems(table, keys), ({ pk }) => pk)
  const found = await Promise.all(
    orderIds.map(async (id) => {
      const order = await orderFrom(items.get(orderKeys.head(id).pk) ?? [])
      return order === TORN
        ? readUntorn(async () => orderFrom(await queryRange(table, orderKeys.order(id))))
        : order
    }),
  )
  return found.filter((order) => order !== null)
}

function keyOf(item: Item): ItemKey {
  return { pk: item['pk'] as string, sk: item['sk'] as string }
}
