import { afterAll, beforeAll } from 'vitest'

import { localSecretBox } from '#shared/adapters/local/local-secret-box.ts'
import { dynamoStores } from '#shared/data/dynamo-stores.ts'
import { startDynamoDb, type LocalDynamoDb } from '#test/support/dynamodb.ts'

import { allStoresSuite } from './all-stores.suite.ts'

let database: LocalDynamoDb
beforeAll(async () => {
  database = await startDynamoDb()
})
afterAll(() => database.stop())

const secretBox = localSecretBox({ secret: () => 'a secret of the test' })
allStoresSuite(async () => dynamoStores(await database.newTable(), secretBox))
