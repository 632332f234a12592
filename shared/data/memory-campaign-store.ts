import type { Campaign } from '#shared/domain/campaign/campaign.ts'
import { campaignScope } from '#shared/domain/scope.ts'
import type { CampaignStore } from '#shared/ports/campaign-store.ts'

import { frozenCopy } from './frozen-copy.ts'
import { hasNewWork } from './new-campaign-work.ts'

/** The campaign store in memory; `scopes` is what the sweep looks at. */
export function memoryCampaignStore(scopes: Set<string>): CampaignStore {
  const campaigns = new Map<string, Campaign>()
  const lastNumbers = new Map<string, number>()
  return {
    find: async (campaignId) => campaigns.get(campaignId) ?? null,
    save: async ({ before, after }) => {
      if (campaigns.get(after.id)?.version !== before?.version) return { kind: 'conflict' }
      campaigns.set(after.id, frozenCopy(after))
      if (hasNewWork({ before, after })) scopes.add(campaignScope(after.id))
      return { kind: 'saved' }
    },
    list: async (organizationId, { limit, cursor }) => {
      const found = [...campaigns.values()]
        .filter((one) => one.organizationId === organizationId && one.deletedAt === null)
        .filter(({ id }) => cursor === null || id < cursor)
        .sort((one, other) => (one.id > other.id ? -1 : 1))
      const shown = found.slice(0, limit)
      return {
        campaigns: shown,
        nextCursor: found.length > limit ? (shown.at(-1)?.id ?? null) : null,
      }
    },
    erase: async (campaignId) => {
      campaigns.delete(campaignId)
      lastNumbers.delete(campaignId)
    },
    nextVisualNumber: async (campaignId) => {
      const number = (lastNumbers.get(campaignId) ?? 0) + 1
      lastNumbers.set(campaignId, number)
      return number
    },
  }
}
