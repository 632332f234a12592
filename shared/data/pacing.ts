import type { Pacing } from '#shared/ports/pacing.ts'

import { getItem, updateIf, type DynamoTable } from './dynamo-table.ts'
import { paceOf, paceWait } from './gcra.ts'
import { pacingKey } from './table.ts'

/**
 * Pacing on DynamoDB: GCRA in one number per trunk, `tat`, the moment at which everything taken so
 * far would have been used up at an even pace (aws.md 2.5). Two conditional updates, no read: they
 * can be made by any number of dispatchers at once.
 */
export function dynamoPacing(table: DynamoTable): Pacing {
  return {
    take: async (request) => {
      const key = pacingKey(request.trunk)
      const { intervalMs, headStartMs } = paceOf(request)
      const { now } = request
      const isFirst = await updateIf(table, {
        key,
        update: 'SET tat = :next',
        condition: 'attribute_not_exists(tat) OR tat < :now',
        values: { ':next': now + intervalMs, ':now': now },
      })
      if (isFirst) return { kind: 'taken' }
      const isNext = await updateIf(table, {
        key,
        update: 'SET tat = tat + :interval',
        condition: 'tat <= :latest',
        values: { ':interval': intervalMs, ':latest': now + headStartMs },
      })
      if (isNext) return { kind: 'taken' }
      const tat = (await getItem(table, key))?.['tat'] as number
      return { kind: 'wait', until: paceWait(tat, request) }
    },
  }
}
