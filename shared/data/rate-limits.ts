import { headStartMs, intervalMs } from '#shared/domain/rate-limit.ts'
import type { RateLimits } from '#shared/ports/rate-limits.ts'

import { getItem, updatedIf, type DynamoTable } from './dynamo-table.ts'
import { bucketKey } from './table.ts'

/**
 * Token buckets on DynamoDB, as pacing does it: one number per bucket and conditional updates, so
 * that any number of processes may take at once. A bucket that is not full takes a second update,
 * an empty one a read.
 */
export function dynamoRateLimits(table: DynamoTable): RateLimits {
  return {
    take: async ({ bucket, rate, now }) => {
      const key = bucketKey(bucket)
      const fromFull = await updatedIf(table, {
        key,
        update: 'SET usedUpTo = :next',
        condition: 'attribute_not_exists(usedUpTo) OR usedUpTo < :now',
        values: { ':next': now + intervalMs(rate), ':now': now },
      })
      const taken =
        fromFull ??
        (await updatedIf(table, {
          key,
          update: 'SET usedUpTo = usedUpTo + :interval',
          condition: 'usedUpTo <= :latest',
          values: { ':interval': intervalMs(rate), ':latest': now + headStartMs(rate) },
        }))
      const item = taken ?? (await getItem(table, key))
      return { taken: taken !== null, usedUpTo: item?.['usedUpTo'] as number }
    },
  }
}
