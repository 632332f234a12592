/** The state machine of a campaign (spec 3.3, decisions 3). What does not apply is ignored. */

import type { Effect } from '../effect.ts'
import { campaignScope } from '../scope.ts'
import type { Campaign, ContactSource, RowStats } from './campaign.ts'

export type CampaignEvent =
  /** More contacts have become rows: `rows` in all. `offset` is the byte behind the last of them. */
  | {
      readonly type: 'rowsStored'
      readonly rows: number
      readonly offset: number
      readonly isLast: boolean
    }
  /** `scheduledAt` has come. */
  | { readonly type: 'due' }
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }
  /** Nothing is dialled any more; calls in progress end by themselves. */
  | { readonly type: 'cancel' }
  /** It goes with all its rows; calls in progress end by themselves and are kept. */
  | { readonly type: 'delete' }
  /** The rows before `upTo` follow the last change; null: all of them do. */
  | { readonly type: 'rowsFollowed'; readonly upTo: number | null }
  /** Rows from there on may have followed what the campaign is no more; they have to follow again. */
  | { readonly type: 'rowsMisled'; readonly from: number }
  /** The rows have changed; `stats` is the truth about all of them. */
  | { readonly type: 'rowsChanged'; readonly stats: RowStats }

export type CampaignDecision =
  | { readonly kind: 'changed'; readonly campaign: Campaign; readonly effects: readonly Effect[] }
  | { readonly kind: 'ignored'; readonly reason: string }

export type NewCampaign = Omit<
  Campaign,
  | 'version'
  | 'status'
  | 'isCancelled'
  | 'contacts'
  | 'isImported'
  | 'rowsToFollow'
  | 'deletedAt'
  | 'createdAt'
  | 'updatedAt'
> & { readonly contacts: Pick<ContactSource, 'key' | 'count'> }

/** A new campaign: a draft until it has rows and its time has come. */
export function newCampaign(input: NewCampaign, now: number): Campaign {
  return {
    ...input,
    version: 1,
    status: 'draft',
    isCancelled: false,
    contacts: { ...input.contacts, rows: 0, offset: 0 },
    isImported: false,
    rowsToFollow: null,
    deletedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** What an event makes of a campaign. The changed one has the next version and `updatedAt = now`. */
export function decideCampaign(
  campaign: Campaign,
  event: CampaignEvent,
  now: number,
): CampaignDecision {
  const patch = decide(campaign, event, now)
  if (typeof patch === 'string') return { kind: 'ignored', reason: patch }
  const changed = { ...campaign, ...patch, version: campaign.version + 1, updatedAt: now }
  const wakeAt = wakeTime(campaign, changed, now)
  const scope = campaignScope(campaign.id)
  const effects: Effect[] = wakeAt === null ? [] : [{ kind: 'wakeScope', scope, at: wakeAt }]
  return { kind: 'changed', campaign: changed, effects }
}

function decide(campaign: Campaign, event: CampaignEvent, now: number): Partial<Campaign> | string {
  switch (event.type) {
    case 'rowsStored':
      return storeRows(campaign, event, now)
    case 'rowsFollowed':
      return campaign.rowsToFollow === null ? 'all rows follow' : { rowsToFollow: event.upTo }
    case 'rowsMisled':
      return { rowsToFollow: Math.min(event.from, campaign.rowsToFollow ?? event.from) }
    case 'delete':
      return campaign.deletedAt === null ? { deletedAt: now, rowsToFollow: 0 } : 'already deleted'
    case 'due':
    case 'pause':
    case 'resume':
    case 'cancel':
    case 'rowsChanged':
      return campaign.status === 'completed' || campaign.deletedAt !== null
        ? 'already completed'
        : beforeTheEnd(campaign, event, now)
  }
}

/** Its first rows can be called while the others are still loaded. */
function storeRows(
  campaign: Campaign,
  event: Extract<CampaignEvent, { readonly type: 'rowsStored' }>,
  now: number,
): Partial<Campaign> | string {
  if (campaign.isImported) return 'already imported'
  const { rows, offset, isLast } = event
  if (rows < campaign.contacts.rows) return 'already stored'
  const count = isLast ? rows : campaign.contacts.count
  return {
    contacts: { ...campaign.contacts, rows, offset, count },
    isImported: isLast,
    status: campaign.status === 'draft' && isItsTime(campaign, now) ? 'running' : campaign.status,
  }
}

function isItsTime({ scheduledAt, isCancelled }: Campaign, now: number): boolean {
  return (scheduledAt === null || scheduledAt <= now) && !isCancelled
}

type ChangeOfCourse = Extract<
  CampaignEvent,
  { readonly type: 'due' | 'pause' | 'resume' | 'cancel' | 'rowsChanged' }
>

function beforeTheEnd(
  campaign: Campaign,
  event: ChangeOfCourse,
  now: number,
): Partial<Campaign> | string {
  const { status, isCancelled } = campaign
  switch (event.type) {
    case 'due':
      return status === 'draft' && campaign.contacts.rows > 0 && isItsTime(campaign, now)
        ? { status: 'running' }
        : 'not waiting for its time'
    case 'pause':
      return status === 'running' && !isCancelled
        ? { status: 'paused', rowsToFollow: 0 }
        : 'not running'
    case 'resume':
      return status === 'paused' && !isCancelled
        ? { status: 'running', rowsToFollow: 0 }
        : 'not paused'
    case 'cancel':
      return isCancelled ? 'already cancelled' : { isCancelled: true, rowsToFollow: 0 }
    case 'rowsChanged':
      return hasEnded(campaign, event.stats) ? { status: 'completed' } : 'not over yet'
  }
}

/** After a cancel the waiting rows do not count: they are only not yet marked as cancelled. */
function hasEnded(campaign: Campaign, stats: RowStats): boolean {
  if (campaign.isCancelled) return stats.calling === 0
  return campaign.isImported && stats.calling + stats.pending + stats.retry === 0
}

/** The dispatcher must look when the campaign begins to run, and when a loaded draft is due. */
function wakeTime(before: Campaign, after: Campaign, now: number): number | null {
  if (after.status === 'running' && before.status !== 'running') return now
  const isWaiting = after.status === 'draft' && after.isImported && !after.isCancelled
  return isWaiting && !before.isImported ? after.scheduledAt : null
}
