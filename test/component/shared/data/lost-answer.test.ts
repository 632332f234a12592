import { afterAll, beforeAll, expect, test } from 'vitest'

import { dynamoCallStore } from '#shared/data/call-store.ts'
import { documentClient } from '#shared/data/document-client.ts'
import type { DynamoTable } from '#shared/data/dynamo-table.ts'
import { next, NOON, sampleOrder } from '#test/contract/ports/sample-records.ts'
import { startDynamoDb, type LocalDynamoDb } from '#test/support/dynamodb.ts'

const START = { kind: 'startAttempt', orderId: 'call_1', number: 1 } as const

let database: LocalDynamoDb
beforeAll(async () => {
  database = await startDynamoDb()
})
afterAll(() => database.stop())

/** A client whose first request is carried out, and its answer lost. */
function losingFirstAnswer(table: DynamoTable) {
  const client = documentClient({ endpoint: database.endpoint })
  let requests = 0
  client.middlewareStack.add(
    (send) => async (request) => {
      const answer = await send(request)
      requests += 1
      if (requests > 1) return answer
      throw Object.assign(new Error('The connection broke'), { code: 'ECONNRESET' })
    },
    { step: 'deserialize', priority: 'low' },
  )
  return { table: { ...table, client }, requests: () => requests, close: () => client.destroy() }
}

test('a save whose answer is lost is repeated by the SDK and counts as one save', async () => {
  const table = await database.newTable()
  const order = sampleOrder()
  await dynamoCallStore(table).save({ order: { before: null, after: order }, effects: [] })
  const losing = losingFirstAnswer(table)
  const after = next(order, { outcomeSummary: 'saved once' })
  const result = await dynamoCallStore(losing.table).save({
    order: { before: order, after },
    effects: [{ id: 'start-1', orderId: 'call_1', effect: START, createdAt: NOON }],
  })
  losing.close()
  expect(losing.requests()).toBe(2)
  expect(result).toEqual({ kind: 'saved' })
  expect(await dynamoCallStore(table).findOrder('call_1')).toEqual(after)
  expect(await dynamoCallStore(table).listUndone(NOON + 1, 10)).toHaveLength(1)
})
