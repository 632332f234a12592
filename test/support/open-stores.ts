import { DeleteTableCommand } from '@aws-sdk/client-dynamodb'
import { inject } from 'vitest'

import { localSecretBox } from '#shared/adapters/local/local-secret-box.ts'
import { documentClient } from '#shared/data/document-client.ts'
import { dynamoStores } from '#shared/data/dynamo-stores.ts'
import { memoryStores } from '#shared/data/memory.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { Stores } from '#shared/ports/service-ports.ts'

import { newTable } from './dynamodb.ts'
import { putOrders } from './put-orders.ts'

export interface OpenedStores {
  readonly stores: Stores
  /** Stores many new orders, faster than one by one. */
  readonly seedOrders: (orders: readonly CallOrder[]) => Promise<void>
  readonly close: () => Promise<void>
}

const secretBox = localSecretBox({ secret: () => 'a secret of the test' })

/**
 * Empty stores: on a table of their own in the DynamoDB Local of the test run, or in memory where the
 * run was started with `STORES=memory`.
 */
export async function openStores(): Promise<OpenedStores> {
  const endpoint = inject('dynamoDbEndpoint')
  if (endpoint === null) return inMemory(memoryStores())
  const client = documentClient({ endpoint })
  const table = await newTable(client)
  return {
    stores: dynamoStores(table, secretBox),
    seedOrders: (orders) => putOrders(table, orders),
    close: async () => {
      await client.send(new DeleteTableCommand({ TableName: table.tableName }))
      client.destroy()
    },
  }
}

function inMemory(stores: Stores): OpenedStores {
  const save = (after: CallOrder) =>
    stores.calls.save({ order: { before: null, after }, effects: [] })
  return {
    stores,
    seedOrders: async (orders) => void (await Promise.all(orders.map(save))),
    close: () => Promise.resolve(),
  }
}
