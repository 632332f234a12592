import type { CallStore, OrderKind } from '#shared/ports/call-store.ts'

import { orderFrom } from './call-records.ts'
import {
  countIndex,
  firstOfGroups,
  queryIndex,
  queryRange,
  type DynamoTable,
  type IndexRange,
} from './dynamo-table.ts'
import { assistantUse } from './index-keys.ts'
import { readUntorn } from './stored-record.ts'
import { orderKeys } from './table.ts'

/** Which orders use an assistant, by gsi4. An order is in it from its planning to its end. */
export function assistantOrders(
  table: DynamoTable,
): Pick<CallStore, 'isAssistantInUse' | 'listKindsNotBegun' | 'countNotBegun'> {
  return {
    isAssistantInUse: async (assistantId) => {
      const ranges = assistantUse.everything(assistantId)
      const found = await Promise.all(ranges.map((range) => firstIn(table, range)))
      return found.some((item) => item !== undefined)
    },
    listKindsNotBegun: async (assistantId) => {
      const ranges = assistantUse.notBegun(assistantId)
      const kinds = (await Promise.all(ranges.map((range) => kindsIn(table, range)))).flat()
      return [...new Map(kinds.map((kind) => [JSON.stringify(kind), kind])).values()]
    },
    countNotBegun: async (assistantId, kind) => {
      const ranges = assistantUse.ofKind(assistantId, kind)
      const counts = await Promise.all(ranges.map((range) => countIndex(table, range)))
      return counts.reduce((sum, count) => sum + count, 0)
    },
  }
}

/** Reads one order of each kind. */
async function kindsIn(table: DynamoTable, range: IndexRange): Promise<OrderKind[]> {
  const kinds: OrderKind[] = []
  for await (const { item, sortKey } of firstOfGroups(table, range, assistantUse.behindKind)) {
    const order = await readUntorn(async () =>
      orderFrom(await queryRange(table, orderKeys.order(item['id'] as string))),
    )
    if (order === null) continue
    const variables = Object.keys(order.promptVariables).sort()
    // Of the key, not of the order: that may have begun, with a newer version, a moment ago.
    kinds.push({ version: assistantUse.versionIn(sortKey), variables })
  }
  return kinds
}

async function firstIn(table: DynamoTable, range: IndexRange) {
  const [first] = await queryIndex(table, range, { descending: false, limit: 1 })
  return first
}
