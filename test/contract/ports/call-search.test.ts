import { afterAll, beforeAll, describe } from 'vitest'

import { dynamoCallSearch } from '#shared/data/call-search.ts'
import { dynamoCallStore } from '#shared/data/call-store.ts'
import { memoryStores } from '#shared/data/memory.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { startDynamoDb, type LocalDynamoDb } from '#test/support/dynamodb.ts'
import { putOrders } from '#test/support/put-orders.ts'

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
