import { WAKE_LOST_MS, type Wakes } from '#shared/ports/wakes.ts'

import { updateIf, type DynamoTable } from './dynamo-table.ts'
import { wakeKey } from './table.ts'

/** Wake-ups on DynamoDB: one item per scope, each claim one conditional update. */
export function dynamoWakes(table: DynamoTable): Wakes {
  return {
    claimNow: (scope, now) =>
      updateIf(table, {
        key: wakeKey(scope),
        update: 'SET nowAt = :now',
        condition: 'attribute_not_exists(nowAt) OR nowAt <= :lost',
        values: { ':now': now, ':lost': now - WAKE_LOST_MS },
      }),
    claimAt: (scope, at, now) =>
      updateIf(table, {
        key: wakeKey(scope),
        update: 'SET nextAt = :at, nextAskedAt = :now',
        condition:
          'attribute_not_exists(nextAt) OR nextAt > :at OR nextAt <= :now OR (nextAt = :at AND nextAskedAt <= :half)',
        values: { ':at': at, ':now': now, ':half': now - (at - now) },
      }),
    clearNow: async (scope) => {
      await updateIf(table, {
        key: wakeKey(scope),
        update: 'REMOVE nowAt',
        condition: 'attribute_exists(nowAt)',
      })
    },
  }
}
