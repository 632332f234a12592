import { sha256 } from '#functions/middleware/key-material.ts'
import { localSecretBox } from '#shared/adapters/local/local-secret-box.ts'
import { dynamoStores } from '#shared/data/dynamo-stores.ts'
import type { DynamoTable } from '#shared/data/dynamo-table.ts'
import { memoryStores } from '#shared/data/memory.ts'
import { NOON } from '#test/support/an-order.ts'
import { apiPorts, KEYS, ORGANIZATION } from '#test/support/api-ports.ts'
import { startDynamoDb } from '#test/support/dynamodb.ts'
import type { OperationId } from '#test/support/generated/parley-client.ts'
import { inProcessApi } from '#test/support/in-process-api.ts'
import { keyedOperations } from '#test/support/seed-records.ts'

import { sendMany } from './api-requests.ts'
import { bundleFigures } from './bundles.ts'
import { type DynamoCost, dynamoMeter } from './dynamo-meter.ts'
import type { BenchmarkResult } from './run.ts'

const TIMED_REQUESTS = 300
/** The last of them counts: a process that has served the organization before. */
const METERED_REQUESTS = 3
const SECOND_MS = 1_000

interface OperationFigures {
  readonly ownMs: { readonly p50: number; readonly p99: number }
  readonly dynamodb: DynamoCost
}

/** Lists and searches take as long as what they find; the budget is about single records. */
const MANY_ITEMS = /^(list|search|export|getPhoneHistory)/

/** The HTTP operations: our own time, what they ask of DynamoDB, and the bundles they run in. */
export async function apiBenchmark(): Promise<BenchmarkResult> {
  const costs = await dynamoCosts()
  const operations: Record<string, OperationFigures> = {}
  for (const [id] of keyedOperations) {
    const cost = costs[id]
    if (cost === undefined) throw new Error(`${id} was not metered`)
    operations[id] = { ownMs: await ownTime(id), dynamodb: cost }
  }
  const bundles = bundleFigures()
  const single = Object.entries(operations).filter(([id]) => !MANY_ITEMS.test(id))
  const api = Object.entries(bundles).filter(([entry]) => entry.startsWith('functions/api/'))
  return {
    figures: { operations, bundles },
    judged: {
      'api.ownMs.p99.oneItem': Math.max(...single.map(([, { ownMs }]) => ownMs.p99)),
      'api.roundTrips.createCall': operations['createCall']?.dynamodb.roundTrips ?? NaN,
      'api.roundTrips.getCall': operations['getCall']?.dynamodb.roundTrips ?? NaN,
      'api.bundles.kb': Math.max(...api.map(([, { kb }]) => kb)),
      'api.bundles.importMs': Math.max(...api.map(([, { importMs }]) => importMs)),
    },
  }
}

/** From the handler's event to its result, over stores that answer at once. */
async function ownTime(operation: OperationId): Promise<OperationFigures['ownMs']> {
  const times: number[] = []
  let isTimed = false
  const send = inProcessApi(await apiPorts(memoryStores()), async (work) => {
    const start = performance.now()
    const result = await work()
    if (isTimed) times.push(performance.now() - start)
    isTimed = false
    return result
  })
  await sendMany(operation, TIMED_REQUESTS, {
    send,
    key: KEYS.test,
    before: () => void (isTimed = true),
  })
  // The first ones are compiled while they run.
  const settled = times.slice(TIMED_REQUESTS / 10).toSorted((one, other) => one - other)
  const at = (share: number) => settled[Math.ceil(settled.length * share) - 1] ?? NaN
  return { p50: rounded(at(0.5)), p99: rounded(at(0.99)) }
}

/** What each operation asks of DynamoDB after the authorizer, on DynamoDB Local. */
async function dynamoCosts(): Promise<Partial<Record<OperationId, DynamoCost>>> {
  const database = await startDynamoDb()
  try {
    const costs: Partial<Record<OperationId, DynamoCost>> = {}
    for (const [id] of keyedOperations) costs[id] = await costOf(id, await database.newTable())
    return costs
  } finally {
    await database.stop()
  }
}

/** Of one request, a second after the one before. */
async function costOf(operation: OperationId, table: DynamoTable): Promise<DynamoCost> {
  const meter = dynamoMeter(table.client)
  const memory = await apiPorts(memoryStores())
  const stores = dynamoStores(table, localSecretBox({ secret: () => 'a secret of the benchmark' }))
  const [organization, user, apiKey] = await Promise.all([
    memory.organizations.findOrganization(ORGANIZATION),
    memory.organizations.findUser(ORGANIZATION, 'user_1'),
    memory.organizations.findApiKey(sha256(KEYS.test)),
  ])
  if (organization === null || user === null || apiKey === null) throw new Error('No owner')
  // Lists of calls go back to the month in which an organization began.
  const young = { ...organization, createdAt: NOON }
  await stores.organizations.bootstrap({ organization: young, user, apiKey })
  let now = NOON
  Object.assign(memory.clock, { now: () => now })
  const send = inProcessApi({ ...memory, ...stores }, (work) => {
    now += SECOND_MS
    meter.reset()
    return work()
  })
  await sendMany(operation, METERED_REQUESTS, { send, key: KEYS.test, before: () => {} })
  return meter.cost()
}

function rounded(ms: number): number {
  return Math.round(ms * 1_000) / 1_000
}
