/** What the rows of a campaign are doing, as counters that move with each order (decisions 3). */

import type { CallOrder, CallOrderStatus } from '../call-order/order.ts'
import type { Campaign, RowStats } from './campaign.ts'

export type RowState = Pick<CallOrder, 'status' | 'attemptsMade'>

export const NO_ROWS: RowStats = {
  calling: 0,
  completed: 0,
  failed: 0,
  pending: 0,
  retry: 0,
  total: 0,
}

type RowCounter = Exclude<keyof RowStats, 'total'>

const COUNTERS: Readonly<Record<CallOrderStatus, RowCounter | 'waiting'>> = {
  not_launched: 'waiting',
  initializing: 'waiting',
  scheduled: 'waiting',
  queued_for_calling: 'waiting',
  paused: 'waiting',
  calling: 'calling',
  post_processing: 'calling',
  completed: 'completed',
  errored: 'failed',
  cancelled: 'failed',
}

/** The one counter in which a row stands; what waits is a retry once an attempt was made. */
export function rowCounter(row: RowState): RowCounter {
  const counter = COUNTERS[row.status]
  if (counter !== 'waiting') return counter
  return row.attemptsMade > 0 ? 'retry' : 'pending'
}

/** What to add to the stats when a row changes; `null` stands for a row that is not there. */
export function rowStatsDelta(before: RowState | null, after: RowState | null): RowStats {
  const delta = { ...NO_ROWS }
  if (before !== null) {
    delta[rowCounter(before)] -= 1
    delta.total -= 1
  }
  if (after !== null) {
    delta[rowCounter(after)] += 1
    delta.total += 1
  }
  return delta
}

export function addRowStats(one: RowStats, other: RowStats): RowStats {
  return {
    calling: one.calling + other.calling,
    completed: one.completed + other.completed,
    failed: one.failed + other.failed,
    pending: one.pending + other.pending,
    retry: one.retry + other.retry,
    total: one.total + other.total,
  }
}

/**
 * The stats as a campaign shows them. Contacts that have not become rows yet are pending; what waited
 * when it was cancelled has failed, also while it is not marked as cancelled yet.
 */
export function shownRowStats(
  stats: RowStats,
  campaign: Pick<Campaign, 'contacts' | 'isCancelled'>,
): RowStats {
  const unread = Math.max(0, (campaign.contacts.count ?? 0) - stats.total)
  const all = { ...stats, pending: stats.pending + unread, total: stats.total + unread }
  return campaign.isCancelled
    ? { ...all, failed: all.failed + all.pending + all.retry, pending: 0, retry: 0 }
    : all
}
