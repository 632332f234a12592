import { setTimeout as wait } from 'node:timers/promises'

import { BatchGetCommand } from '@aws-sdk/lib-dynamodb'

import { answered, type DynamoTable, type Item } from './dynamo-table.ts'
import type { ItemKey } from './table.ts'

const KEYS_PER_REQUEST = 100
const REQUESTS_AT_ONCE = 8
const DELAY_MAX_MS = 1_000

/** Reads items as they were last written, those that exist, in any order. */
export async function getItems(table: DynamoTable, keys: readonly ItemKey[]): Promise<Item[]> {
  const batches = Array.from({ length: Math.ceil(keys.length / KEYS_PER_REQUEST) }, (_, index) =>
    keys.slice(index * KEYS_PER_REQUEST, (index + 1) * KEYS_PER_REQUEST),
  )
  const items: Item[] = []
  const work = batches.values()
  const worker = async () => {
    for (const batch of work) items.push(...(await getBatch(table, batch)))
  }
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, worker))
  return items
}

/** DynamoDB may leave keys out when it is busy or the answer grows too large; those are asked for again. */
async function getBatch(table: DynamoTable, keys: readonly ItemKey[]): Promise<Item[]> {
  const { client, tableName, sleep = (ms: number) => wait(ms) } = table
  const items: Item[] = []
  let left: Item[] = [...keys]
  for (let delayMs = 0; left.length > 0; delayMs = Math.min(DELAY_MAX_MS, delayMs * 2 + 10)) {
    if (delayMs > 0) await sleep(delayMs)
    const command = new BatchGetCommand({
      RequestItems: { [tableName]: { Keys: left, ConsistentRead: true } },
    })
    const answer = await answered(() => client.send(command))
    items.push(...(answer.Responses?.[tableName] ?? []))
    left = answer.UnprocessedKeys?.[tableName]?.Keys ?? []
  }
  return items
}
