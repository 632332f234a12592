import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { Pacing } from '#shared/ports/pacing.ts'

import { getItem, updateIf, type DynamoTable } from './dynamo-table.ts'
import { intervalOf, takePaced } from './gcra.ts'
import { pacingKey } from './table.ts'

/** Each round means that somebody else took some in between. */
const ROUNDS_MAX = 100

/**
 * Pacing on DynamoDB: GCRA in one number per trunk, `tat`, the moment at which everything taken so
 * far would have been used up at an even pace (aws.md 2.5). A dispatch takes for many calls at once,
 * by an update on the condition that the number is still the one that it was decided on.
 */
export function dynamoPacing(table: DynamoTable): Pacing {
  return {
    take: async (request) => {
      const key = pacingKey(request.trunk)
      for (let rounds = 0; rounds < ROUNDS_MAX; rounds += 1) {
        const tat = (await getItem(table, key))?.['tat'] as number | undefined
        const { taken, usedUpTo, until } = takePaced(tat ?? null, request)
        if (taken === 0) return { taken, until }
        const isTaken = await updateIf(table, {
          key,
          update: 'SET tat = :next',
          condition: tat === undefined ? 'attribute_not_exists(tat)' : 'tat = :seen',
          values: { ':next': usedUpTo, ...(tat !== undefined && { ':seen': tat }) },
        })
        if (isTaken) return { taken, until }
      }
      throw new AdapterError('Too many take from the same pace', { retryable: true })
    },
    giveBack: async (request) => {
      await updateIf(table, {
        key: pacingKey(request.trunk),
        update: 'SET tat = tat - :unused',
        condition: 'attribute_exists(tat)',
        values: { ':unused': request.count * intervalOf(request) },
      })
    },
  }
}
