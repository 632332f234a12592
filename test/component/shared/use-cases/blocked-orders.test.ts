import { afterAll, beforeAll, expect, test } from 'vitest'

import { localSecretBox } from '#shared/adapters/local/local-secret-box.ts'
import { dynamoStores } from '#shared/data/dynamo-stores.ts'
import { crowdedScope } from '#test/support/crowded-scope.ts'
import { startDynamoDb, type LocalDynamoDb } from '#test/support/dynamodb.ts'
import { useCasePorts } from '#test/support/use-case-ports.ts'

let database: LocalDynamoDb
beforeAll(async () => {
  database = await startDynamoDb()
})
afterAll(() => database.stop())

test('120 orders behind one key hold up nobody, and cost a dispatch nothing once put aside', async () => {
  const { ports: inMemory, world } = useCasePorts(Date.parse('2026-11-18T15:00:00Z'))
  const secretBox = localSecretBox({ secret: () => 'secret' })
  const ports = { ...inMemory, ...dynamoStores(await database.newTable(), secretBox) }
  const scope = await crowdedScope(ports)
  const keyed = await scope.placeUnderKey(120, 2)
  world.now += 1
  const free = await scope.placeFree()

  expect(await scope.dispatch()).toEqual({ admitted: 2 })
  expect(await scope.dispatch()).toEqual({ admitted: 1 })
  expect(await scope.stateOf(free)).toEqual(['calling', null])
  expect(await ports.calls.listDue('ORG#org_1', world.now, 200)).toEqual([])

  const calling = (await ports.calls.findOrders(keyed)).filter(({ status }) => status === 'calling')
  expect(calling).toHaveLength(2)
  await scope.end(calling[0]?.id ?? '')
  // Its own retry is not due yet; one of the 118 others is.
  expect(await ports.calls.listDue('ORG#org_1', world.now, 200)).toHaveLength(1)
  expect(await scope.dispatch()).toEqual({ admitted: 1 })
})
