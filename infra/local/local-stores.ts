import { ResourceInUseException } from '@aws-sdk/client-dynamodb'

import { localSecretBox } from '#shared/adapters/local/local-secret-box.ts'
import { createTable } from '#shared/data/create-table.ts'
import { documentClient } from '#shared/data/document-client.ts'
import { dynamoStores } from '#shared/data/dynamo-stores.ts'
import { memoryStores } from '#shared/data/memory.ts'
import type { Stores } from '#shared/ports/service-ports.ts'

const TABLE_NAME = 'parley'

/** The records of a local stack: in its database, or in memory where none runs. */
export function openLocalStores(settings: {
  readonly databaseEndpoint: string | null
  readonly internalSecret: string
}): Stores {
  if (settings.databaseEndpoint === null) return memoryStores()
  const client = documentClient({ endpoint: settings.databaseEndpoint })
  const secretBox = localSecretBox({ secret: () => settings.internalSecret })
  return dynamoStores({ client, tableName: TABLE_NAME }, secretBox)
}

/** Creates the table of a new database; one that was used before has it. */
export async function createLocalTable(endpoint: string): Promise<void> {
  const client = documentClient({ endpoint })
  try {
    await createTable(client, TABLE_NAME)
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error
  } finally {
    client.destroy()
  }
}
