import type { Campaign } from '#shared/domain/campaign/campaign.ts'
import { campaignScope } from '#shared/domain/scope.ts'
import type { CampaignStore } from '#shared/ports/campaign-store.ts'
import type { Change } from '#shared/ports/change.ts'

import {
  deleteItem,
  erase,
  getItem,
  put,
  queryRange,
  setIfVersion,
  transact,
  updatedIf,
  type DynamoTable,
  type Item,
  type Write,
} from './dynamo-table.ts'
import { getItems } from './get-items.ts'
import { hasNewWork } from './new-campaign-work.ts'
import { pack, unpack, type Packed } from './stored-record.ts'
import { campaignKeys, scopeKeys } from './table.ts'

/** The campaign store on DynamoDB: one item each, beside the counters of its rows. */
export function dynamoCampaignStore(table: DynamoTable): CampaignStore {
  return {
    find: async (campaignId) => {
      const item = await getItem(table, campaignKeys.head(campaignId))
      return item === null ? null : campaignFrom(item)
    },
    save: async (change) => transact(table, await campaignWrites(change)),
    list: (organizationId, page) => list(table, organizationId, page),
    erase: async (campaignId) => {
      await deleteItem(table, campaignKeys.sequence(campaignId))
      await deleteItem(table, campaignKeys.head(campaignId))
    },
    nextVisualNumber: async (campaignId) => {
      const sequence = await updatedIf(table, {
        key: campaignKeys.sequence(campaignId),
        update: 'ADD lastNumber :one',
        condition: 'attribute_not_exists(pk) OR attribute_exists(pk)',
        values: { ':one': 1 },
      })
      return sequence?.['lastNumber'] as number
    },
  }
}

async function campaignWrites({ before, after }: Change<Campaign>): Promise<Write[]> {
  const { id, organizationId, version, deletedAt } = after
  const entry = campaignKeys.entry(organizationId, id)
  const isDeletion = before !== null && before.deletedAt === null && deletedAt !== null
  return [
    setIfVersion(campaignKeys.head(id), { id, version, campaign: await pack(after) }, before),
    ...(before === null ? [put({ ...entry, id })] : []),
    ...(hasNewWork({ before, after }) ? [put(scopeKeys.scope(campaignScope(id)))] : []),
    ...(isDeletion ? [erase(entry)] : []),
  ]
}

/** Newest first, because ids sort by the time they were made. The cursor is the last id shown. */
async function list(
  table: DynamoTable,
  organizationId: string,
  { limit, cursor }: { limit: number; cursor: string | null },
): Promise<{ campaigns: Campaign[]; nextCursor: string | null }> {
  const entries = await queryRange(table, campaignKeys.upTo(organizationId, cursor), {
    descending: true,
    limit: limit + 1,
    filter: { expression: 'id <> :cursor', values: { ':cursor': cursor ?? '' } },
  })
  const ids = entries.slice(0, limit).map(({ id }) => id as string)
  const items = await getItems(table, ids.map(campaignKeys.head))
  const byId = new Map(items.map((item) => [item['id'], item]))
  const shown = ids.map((id) => byId.get(id)).filter((item) => item !== undefined)
  return {
    campaigns: await Promise.all(shown.map(campaignFrom)),
    nextCursor: entries.length > limit ? (ids.at(-1) ?? null) : null,
  }
}

function campaignFrom(item: Item): Promise<Campaign> {
  return unpack(item['campaign'] as Packed)
}
