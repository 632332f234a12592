import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, describe } from 'vitest'

import { orderWrites } from '#shared/data/call-records.ts'
import { dynamoCallSearch } from '#shared/data/call-search.ts'
import { dynamoCallStore } from '#shared/data/call-store.ts'
import type { DynamoTable, Item, Write } from '#shared/data/dynamo-table.ts'
import { memoryStores } from '#shared/data/memory.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { startDynamoDb, type LocalDynamoDb } from '#test/support/dynamodb.ts'

import { callSearchSuite } from './call-search.suite.ts'

describe('in memory', () => {
  callSearchSuite(
    async () => {
      const stores = memoryStores()
      const save = (order: CallOrder) =>
        stores.calls.save({ order: { before: null, after: order }, effects: [] })
      return { ...stores, seed: async (orders) => void (await Promise.all(orders.map(save))) }
    },
    { size: 20_000, runs: 100 },
  )
})

describe('on DynamoDB', () => {
  let database: LocalDynamoDb
  beforeAll(async () => {
    database = await startDynamoDb()
  })
  afterAll(() => database.stop())

  callSearchSuite(
    async () => {
      const table = await database.newTable()
      return {
        calls: dynamoCallStore(table),
        callSearch: dynamoCallSearch(table),
        seed: (orders) => putOrders(table, orders),
      }
    },
    { size: 3_000, runs: 30 },
  )
})

const BATCH_SIZE = 25

/** What saves would leave in the table, without their transactions, which DynamoDB Local is slow at. */
async function putOrders(table: DynamoTable, orders: readonly CallOrder[]): Promise<void> {
  const { client, tableName } = table
  const writes = await Promise.all(orders.map((after) => orderWrites({ before: null, after })))
  const items = writes.flat().map((write) => itemOf(write, tableName))
  for (let start = 0; start < items.length; start += BATCH_SIZE) {
    const requests = items
      .slice(start, start + BATCH_SIZE)
      .map((Item) => ({ PutRequest: { Item } }))
    await client.send(new BatchWriteCommand({ RequestItems: { [tableName]: requests } }))
  }
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
