import type { Campaign } from '#shared/domain/campaign/campaign.ts'

import type { Change, SaveResult } from './change.ts'

export interface CampaignStore {
  /** Of any organization, and also one that is being deleted: callers look at both. */
  find(campaignId: string): Promise<Campaign | null>
  /**
   * A new one, and one whose rows have to follow a change, is known to the sweep from here on. A
   * deleted one is no longer listed.
   */
  save(change: Change<Campaign>): Promise<SaveResult>
  /** Undeleted ones, newest first. `cursor` is opaque. */
  list(
    organizationId: string,
    page: { limit: number; cursor: string | null },
  ): Promise<{ campaigns: Campaign[]; nextCursor: string | null }>
  /** Nothing of it is left, apart from its rows and their counters. Harmless when repeated. */
  erase(campaignId: string): Promise<void>
  /** From 1; never the same twice. */
  nextVisualNumber(campaignId: string): Promise<number>
}
