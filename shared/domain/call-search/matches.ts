import type { CallCondition } from './call-filter.ts'
import type { CallRow } from './call-row.ts'

/** Whether a row meets every condition of a filter. */
export function matches(row: CallRow, conditions: readonly CallCondition[]): boolean {
  return conditions.every((condition) =>
    condition.kind === 'oneOf'
      ? condition.values.includes(row[condition.field])
      : row[condition.field].includes(condition.value),
  )
}
