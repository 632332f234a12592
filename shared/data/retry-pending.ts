import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { retryPendingSince } from '#shared/domain/call-order/retry-pending.ts'
import type { CallStore } from '#shared/ports/call-store.ts'
import type { Change } from '#shared/ports/change.ts'

import { erase, put, queryRange, type DynamoTable, type Write } from './dynamo-table.ts'
import { retryPendingKeys, type ItemKey } from './table.ts'

/** Who may call back, as an item of its own: no index says late that somebody is waited for. */
export function retryPending(table: DynamoTable): Pick<CallStore, 'findRetryPending'> {
  return {
    findRetryPending: async (organizationId, phoneNumber) => {
      const range = retryPendingKeys.all(organizationId, phoneNumber)
      const [last] = await queryRange(table, range, { descending: true, limit: 1 })
      return (last?.['orderId'] as string | undefined) ?? null
    },
  }
}

/** What a change of an order means to that; part of its transaction. */
export function retryPendingWrites({ before, after }: Change<CallOrder>): Write[] {
  const [from, to] = [before && keyOf(before), keyOf(after)]
  if (from?.sk === to?.sk) return []
  return [
    ...(from === null ? [] : [erase(from)]),
    ...(to === null ? [] : [put({ ...to, orderId: after.id })]),
  ]
}

function keyOf(order: CallOrder): ItemKey | null {
  const { id: orderId, organizationId, toPhoneNumber: phoneNumber } = order
  const since = retryPendingSince(order)
  return since === null
    ? null
    : retryPendingKeys.order({ organizationId, phoneNumber, since, orderId })
}
