import type { AttemptResult } from '../call-attempt/attempt.ts'
import type { CallOrder, CallOrderStatus } from '../call-order/order.ts'

/** Which rows of a campaign are asked for (spec 4.2); null asks for all. */
export interface RowFilter {
  /** Found in the phone number or in the value of a variable, in upper or lower case. */
  readonly query: string | null
  /** Of the last attempt that ended; `none`: it has no result, or there was none. */
  readonly result: AttemptResult | 'none' | null
  readonly statuses: ReadonlySet<CallOrderStatus> | null
}

/** Whether a filter lets everything through. */
export function asksForAll(filter: RowFilter): boolean {
  return filter.query === null && filter.result === null && filter.statuses === null
}

/** Whether a row is among those asked for. */
export function matchesRow(order: CallOrder, { query, result, statuses }: RowFilter): boolean {
  if (statuses !== null && !statuses.has(order.status)) return false
  if (result !== null && (order.lastAttempt?.result ?? 'none') !== result) return false
  if (query === null) return true
  const wanted = query.toLowerCase()
  return [order.toPhoneNumber, ...Object.values(order.promptVariables)].some((text) =>
    text.toLowerCase().includes(wanted),
  )
}
