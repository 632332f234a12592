import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'

/** What one or more requests cost at DynamoDB. */
export interface DynamoCost {
  readonly requests: number
  /** Requests that had to wait for others: those sent together count once. */
  readonly roundTrips: number
  readonly readUnits: number
  readonly writeUnits: number
}

interface Capacity {
  readonly CapacityUnits?: number
  readonly ReadCapacityUnits?: number
  readonly WriteCapacityUnits?: number
}

const READS: ReadonlySet<string> = new Set(['GetItem', 'Query', 'BatchGetItem', 'Scan'])

/** Counts what a client asks of DynamoDB, and what it consumes, since the last `reset`. */
export function dynamoMeter(client: DynamoDBDocumentClient) {
  let cost = { requests: 0, roundTrips: 0, readUnits: 0, writeUnits: 0 }
  let inFlight = 0
  client.middlewareStack.add(
    (next, context) => async (args) => {
      Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' })
      cost.requests += 1
      cost.roundTrips += inFlight === 0 ? 1 : 0
      inFlight += 1
      try {
        const result = await next(args)
        const isRead = READS.has(String(context.commandName).replace(/Command$/, ''))
        const units = unitsOf(result.output as { ConsumedCapacity?: Capacity | Capacity[] })
        if (isRead) cost.readUnits += units
        else cost.writeUnits += units
        return result
      } finally {
        inFlight -= 1
      }
    },
    { step: 'initialize', name: 'meter', override: true },
  )
  return {
    reset: () => void (cost = { requests: 0, roundTrips: 0, readUnits: 0, writeUnits: 0 }),
    cost: (): DynamoCost => ({ ...cost }),
  }
}

function unitsOf({ ConsumedCapacity: consumed }: { ConsumedCapacity?: Capacity | Capacity[] }) {
  const parts = consumed === undefined ? [] : [consumed].flat()
  return parts.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0)
}
