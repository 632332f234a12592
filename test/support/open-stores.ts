import { DeleteTableCommand } from '@aws-sdk/client-dynamodb'
import { inject } from 'vitest'

import { localSecretBox } from '#shared/adapters/local/local-secret-box.ts'
import { documentClient } from '#shared/data/document-client.ts'
import { dynamoStores } from '#shared/data/dynamo-stores.ts'
import { memoryStores } from '#shared/data/memory.ts'
import type { Stores } from '#shared/ports/service-ports.ts'

import { newTable } from './dynamodb.ts'

export interface OpenedStores {
  readonly stores: Stores
  readonly close: () => Promise<void>
}

const secretBox = localSecretBox({ secret: () => 'a secret of the test' })

/**
 * Empty stores: on a table of their own in the DynamoDB Local of the test run, or in memory where the
 * run was started with `STORES=memory`.
 */
export async function openStores(): Promise<OpenedStores> {
  const endpoint = inject('dynamoDbEndpoint')
  if (endpoint === null) return { stores: memoryStores(), close: () => Promise.resolve() }
  const client = documentClient({ endpoint })
  const table = await newTable(client)
  return {
    stores: dynamoStores(table, secretBox),
    close: async () => {
      await client.send(new DeleteTableCommand({ TableName: table.tableName }))
      client.destroy()
    },
  }
}
