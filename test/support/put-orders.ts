import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb'

import { orderWrites } from '#shared/data/call-records.ts'
import type { DynamoTable, Item, Write } from '#shared/data/dynamo-table.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'

/** As many as DynamoDB takes in one request, and requests beside each other. */
const BATCH_SIZE = 25
const BATCHES_AT_ONCE = 4

/** What saves would leave in the table, without their transactions, which DynamoDB Local is slow at. */
export async function putOrders(table: DynamoTable, orders: readonly CallOrder[]): Promise<void> {
  const writes = await Promise.all(orders.map((after) => orderWrites({ before: null, after })))
  const items = writes.flat().map((write) => itemOf(write, table.tableName))
  const batches = Array.from({ length: Math.ceil(items.length / BATCH_SIZE) }, (_, index) =>
    items.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  ).values()
  const workers = Array.from({ length: BATCHES_AT_ONCE }, async () => {
    for (const batch of batches) await putBatch(table, batch)
  })
  await Promise.all(workers)
}

async function putBatch({ client, tableName }: DynamoTable, items: Item[]): Promise<void> {
  const requests = items.map((Item) => ({ PutRequest: { Item } }))
  await client.send(new BatchWriteCommand({ RequestItems: { [tableName]: requests } }))
}

/** The item that a write makes where there was none. */
function itemOf(write: Write, tableName: string): Item {
  const { Put, Update } = write(tableName)
  const values = Object.entries(Update?.ExpressionAttributeValues ?? {})
  return (
    Put?.Item ?? {
      ...Update?.Key,
      ...Object.fromEntries(values.map(([name, value]) => [name.slice(1), value])),
    }
  )
}
