import { conditionsOf, type CallCondition } from '#shared/domain/call-search/call-filter.ts'
import type { CallPosition, CallRow } from '#shared/domain/call-search/call-row.ts'
import type { CallSearch, CallSelection } from '#shared/ports/call-search.ts'

import { countIndex, queryIndex, type IndexRange, type Item } from './dynamo-table.ts'
import type { DynamoTable } from './dynamo-table.ts'
import { callListKey, callListPartitions, callsOfNumberPartition } from './index-keys.ts'

/** The search on DynamoDB: filters and counts run in the database, on the rows in its indexes. */
export function dynamoCallSearch(table: DynamoTable): CallSearch {
  return {
    list: async (selection, { direction, limit, after }) => {
      const descending = direction === 'desc'
      const months = rangesOf(selection, { [descending ? 'until' : 'since']: after })
      const rows: CallRow[] = []
      for (const shards of descending ? months.reverse() : months) {
        // One more than asked for: the call of `after` is found again.
        const options = { descending, limit: limit + 1 }
        const found = await Promise.all(shards.map((range) => queryIndex(table, range, options)))
        const ofMonth = found.flat().map(rowFrom).sort(byCreation)
        rows.push(...(descending ? ofMonth.reverse() : ofMonth))
        if (rows.length > limit) break
      }
      return rows.filter(({ id }) => id !== after?.id).slice(0, limit)
    },
    count: async (selection) => {
      const ranges = rangesOf(selection).flat()
      const counts = await Promise.all(ranges.map((range) => countIndex(table, range)))
      return counts.reduce((total, count) => total + count, 0)
    },
  }
}

/**
 * What to read, month by month in ascending order; ranges beside each other hold calls of the same
 * month. With a position, only what is not before it, or not behind it.
 */
function rangesOf(
  selection: CallSelection,
  part: { readonly since?: CallPosition | null; readonly until?: CallPosition | null } = {},
): IndexRange[][] {
  const { organizationId, filter } = selection
  const since = latest({ createdAt: selection.createdFrom }, part.since)
  const until = earliest({ createdAt: selection.createdTo }, part.until)
  const [from, to] = [callListKey(since), callListKey(until)]
  if (from >= to) return []
  const expression = expressionOf(conditionsOf(filter))
  const range = { from, to, ...(expression && { filter: expression }) }
  if (filter.phoneNumber !== null) {
    const partition = callsOfNumberPartition(organizationId, filter.phoneNumber)
    return [[{ ...range, index: 'gsi2', partition }]]
  }
  const time = { createdFrom: since.createdAt, createdTo: until.createdAt }
  return callListPartitions(organizationId, time).map((shards) =>
    shards.map((partition) => ({ ...range, index: 'gsi1', partition })),
  )
}

/** A moment stands before all calls of it. */
type Bound = Parameters<typeof callListKey>[0]

function latest(one: Bound, other: Bound | null | undefined): Bound {
  return other && callListKey(other) > callListKey(one) ? other : one
}

function earliest(one: Bound, other: Bound | null | undefined): Bound {
  return other && callListKey(other) < callListKey(one) ? other : one
}

/** The conditions in DynamoDB's language; undefined without any. */
function expressionOf(conditions: readonly CallCondition[]): IndexRange['filter'] {
  if (conditions.length === 0) return undefined
  const values: Record<string, string | null> = {}
  const valueName = (value: string | null): string => {
    const name = `:f${Object.keys(values).length}`
    values[name] = value
    return name
  }
  const parts = conditions.map((condition) =>
    condition.kind === 'oneOf'
      ? `#listed.#${condition.field} IN (${condition.values.map(valueName).join(', ')})`
      : `contains(#listed.#${condition.field}, ${valueName(condition.value)})`,
  )
  const fields = conditions.map(({ field }) => [`#${field}`, field])
  return {
    expression: parts.join(' AND '),
    names: { '#listed': 'listed', ...Object.fromEntries(fields) },
    values,
  }
}

function rowFrom(item: Item): CallRow {
  const { id, createdAt, listed } = item
  return { ...(listed as Omit<CallRow, 'id' | 'createdAt'>), id, createdAt } as CallRow
}

function byCreation(one: CallRow, other: CallRow): number {
  return callListKey(one) < callListKey(other) ? -1 : 1
}
