import type { CallStore } from '#shared/ports/call-store.ts'

import {
  firstOfGroups,
  getItem,
  queryIndex,
  type DynamoTable,
  type IndexRange,
} from './dynamo-table.ts'
import { blockedOrders as ranges } from './index-keys.ts'
import { orderKeys } from './table.ts'

/** Which orders are blocked, and by what, by gsi3. */
export function blockedOrders(
  table: DynamoTable,
): Pick<CallStore, 'listBlocked' | 'listBlockingPermits'> {
  return {
    listBlocked: async (organizationId, permit, limit) => {
      const stretches = ranges.byPermit(organizationId, permit)
      const pages = await Promise.all(
        stretches.map((range) => queryIndex(table, range, { descending: false, limit })),
      )
      return pages
        .flat()
        .sort((one, other) => (String(one['gsi3sk']) < String(other['gsi3sk']) ? -1 : 1))
        .slice(0, limit)
        .map((item) => item['id'] as string)
    },
    listBlockingPermits: async (organizationId) => {
      const stretches = ranges.everything(organizationId)
      const found = await Promise.all(stretches.map((range) => permitsIn(table, range)))
      return [...new Set(found.flat())]
    },
  }
}

/** The key of the index has no more than a hash of the permit; the order itself names it. */
async function permitsIn(table: DynamoTable, range: IndexRange): Promise<string[]> {
  const permits: string[] = []
  for await (const { item } of firstOfGroups(table, range, ranges.behindPermit)) {
    const head = await getItem(table, orderKeys.head(item['id'] as string))
    const permit = head?.['blockedBy']
    if (typeof permit === 'string') permits.push(permit)
  }
  return permits
}
