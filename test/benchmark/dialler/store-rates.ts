import { campaignScope } from '#shared/domain/scope.ts'
import { dispatchScope } from '#shared/use-cases/dispatch-scope.ts'
import type { LocalDynamoDb } from '#test/support/dynamodb.ts'

import { dynamoStage } from './dynamo-stage.ts'

const ROWS = 300
const IMPORTED_ROWS = 1_000
/** As many as Lambda would easily run beside each other. */
const DISPATCHES_AT_ONCE = 4

export interface StoreRates {
  readonly importRowsPerSec: number
  readonly admissionsPerSec: number
  readonly requestsPerAdmission: number
}

/** How fast contacts become rows, and rows are admitted, on DynamoDB Local. */
export async function storeRates(database: LocalDynamoDb): Promise<StoreRates> {
  const importSecs = await imported(database)
  const { ports, stage, meter } = await dynamoStage(database)
  const { id } = await stage.create(ROWS)
  await stage.work(id)
  meter.reset()
  const startedAt = performance.now()
  let admitted = 0
  const dispatcher = async () => {
    while (admitted < ROWS) {
      const dispatched = await dispatchScope(ports, campaignScope(id))
      admitted += dispatched.admitted
    }
  }
  await Promise.all(Array.from({ length: DISPATCHES_AT_ONCE }, dispatcher))
  return {
    importRowsPerSec: Math.round(IMPORTED_ROWS / importSecs),
    admissionsPerSec: Math.round(ROWS / secsSince(startedAt)),
    requestsPerAdmission: Math.round((meter.cost().requests / ROWS) * 10) / 10,
  }
}

async function imported(database: LocalDynamoDb): Promise<number> {
  const { stage } = await dynamoStage(database)
  const { id } = await stage.create(IMPORTED_ROWS)
  const startedAt = performance.now()
  await stage.work(id)
  return secsSince(startedAt)
}

function secsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1_000
}
