import { localSecretBox } from '#shared/adapters/local/local-secret-box.ts'
import { dynamoStores } from '#shared/data/dynamo-stores.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'
import { campaignStage } from '#test/support/campaign-stage.ts'
import type { LocalDynamoDb } from '#test/support/dynamodb.ts'
import { useCasePorts } from '#test/support/use-case-ports.ts'

import { dynamoMeter } from '../dynamo-meter.ts'

const NOW = Date.parse('2026-11-18T15:00:00Z')
const CALLS_AT_ONCE = 1_000

/** An organization with its campaigns on an empty table of DynamoDB Local, and nothing in its way. */
export async function dynamoStage(database: LocalDynamoDb) {
  const { world, ports: inMemory } = useCasePorts(NOW)
  const table = await database.newTable()
  const ports: ServicePorts = {
    ...inMemory,
    ...dynamoStores(table, localSecretBox({ secret: () => 'a secret of the benchmark' })),
    limits: {
      trunk: { id: 'trunk', maxConcurrentCalls: CALLS_AT_ONCE, callsPerSecond: 10 * CALLS_AT_ONCE },
      ringTimeoutSecs: 30,
    },
  }
  const meter = dynamoMeter(table.client)
  const stage = await campaignStage(ports, { maxConcurrentCalls: CALLS_AT_ONCE })
  return { world, ports, meter, stage }
}
