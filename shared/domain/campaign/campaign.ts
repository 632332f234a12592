/** A list of contacts called with one assistant: spec 2.7 and 3.3. */

import type { CallRetryConfig } from '../retry/call-retry-config.ts'

export const CAMPAIGN_STATUSES = ['draft', 'running', 'paused', 'completed'] as const
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number]

/** Times are epoch ms. */
export interface Campaign {
  readonly id: string
  readonly organizationId: string
  /** Optimistic lock: every save raises it by one. */
  readonly version: number
  readonly assistantId: string
  /** The version that its orders are planned with. */
  readonly assistantVersion: number
  readonly name: string
  readonly status: CampaignStatus
  readonly isCancelled: boolean
  readonly callRetryConfig: CallRetryConfig | null
  readonly fromPhoneNumber: string | null
  readonly maxConcurrentCalls: number | null
  readonly scheduledAt: number | null
  readonly contacts: ContactSource
  /** True once every contact has become a row. */
  readonly isImported: boolean
  /** The first row that does not follow the last pause, resume, cancel or deletion; null: all do. */
  readonly rowsToFollow: number | null
  /** Created with a `vak_test_` key: reaches only the simulated carrier. */
  readonly isTest: boolean
  /** From then on it is hidden, until nothing of it is left. */
  readonly deletedAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** Where the contacts come from, and how far they have become rows. */
export interface ContactSource {
  /** Names the stored file. */
  readonly key: string
  /** How many there are; null until the file was read to its end. */
  readonly count: number | null
  /** How many have become rows: the next one is the row with this index. */
  readonly rows: number
  /** The byte of the file at which the next one begins. */
  readonly offset: number
}

/** Nothing of it is dialled any more, and nothing will be. */
export function isOver(campaign: Pick<Campaign, 'isCancelled' | 'deletedAt'>): boolean {
  return campaign.isCancelled || campaign.deletedAt !== null
}

/** Spec 2.7 `row_stats`; the five always sum to `total` (decisions 3). */
export interface RowStats {
  readonly calling: number
  readonly completed: number
  readonly failed: number
  readonly pending: number
  readonly retry: number
  readonly total: number
}
