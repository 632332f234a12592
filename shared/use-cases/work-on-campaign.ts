import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { Campaign } from '#shared/domain/campaign/campaign.ts'
import type { ContactLine } from '#shared/domain/campaign/contact-file.ts'
import { rowIds } from '#shared/domain/campaign/row-ids.ts'
import { newRowOrder } from '#shared/domain/campaign/row-order.ts'
import type { Hash } from '#shared/domain/derived-digits.ts'
import { campaignScope } from '#shared/domain/scope.ts'
import { ORDERS_AT_ONCE_MAX } from '#shared/ports/campaign-orders.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { applyToCampaign, type CampaignChange } from './apply-to-campaign.ts'
import type { CommitPorts } from './commit-call.ts'
import { defaultFromPhoneNumber } from './default-from-phone-number.ts'
import { letFollow } from './follow-campaign.ts'
import { inParallel } from './in-parallel.ts'
import { readCampaignContacts } from './read-campaign-contacts.ts'
import { hasWork, settleCampaign } from './settle-campaign.ts'
import { wakeScope } from './wake-scope.ts'

/** So many rows are worked on with one message. */
export const ROWS_PER_STEP = 1_000
const ROWS_AT_ONCE = 16
const BATCHES_AT_ONCE = 4

export type WorkPorts = CommitPorts &
  Pick<ServicePorts, 'assistants' | 'organizations' | 'phoneNumbers' | 'contactUploads'>

/**
 * One step of the work on a campaign: its next contacts become rows, or its next rows follow a
 * pause, resume, cancel or deletion. How far it has come stands in the campaign; the step that
 * moves it on asks for the next one. Any step may be repeated, also while another does the same.
 */
export async function workOnCampaign(
  ports: WorkPorts,
  { campaignId, hash }: { readonly campaignId: string; readonly hash: Hash },
): Promise<void> {
  const campaign = await ports.campaigns.find(campaignId)
  if (campaign === null || !hasWork(campaign)) return
  const { rowsToFollow, deletedAt } = campaign
  if (deletedAt !== null && rowsToFollow === null) return finishDeletion(ports, campaign)
  const result =
    rowsToFollow === null
      ? await importRows(ports, { campaign, hash })
      : await followRows(ports, { campaign, hash, from: rowsToFollow })
  if (result.kind === 'ignored') return
  const after = result.campaign
  if (after.status === 'running') {
    await wakeScope(ports, campaignScope(campaignId), ports.clock.now())
  }
  if (hasWork(after)) {
    return ports.queues.send('import', { campaignId }, { group: campaignScope(campaignId) })
  }
  await eraseOwnContacts(ports, after)
  await settleCampaign(ports, campaignId)
}

interface Step {
  readonly campaign: Campaign
  readonly hash: Hash
}

async function importRows(ports: WorkPorts, step: Step): Promise<CampaignChange> {
  const { campaign } = step
  const { key, offset, rows } = campaign.contacts
  const chunk = await readCampaignContacts(ports, { key, offset, limit: ROWS_PER_STEP })
  // What is not there cannot be called; rows that exist already are all there will be.
  const { lines, ...read } = chunk.kind === 'read' ? chunk : { lines: [], offset, isEnd: true }
  const begunAs = await storeRows(ports, step, lines)
  await applyToCampaign(ports, campaign.id, (current) =>
    begunAs.every((begun) => isSameCourse(begun, current))
      ? null
      : { type: 'rowsMisled', from: rows },
  )
  return applyToCampaign(ports, campaign.id, (current) =>
    current.contacts.rows === rows && current.deletedAt === null
      ? {
          type: 'rowsStored',
          rows: rows + lines.length,
          offset: read.offset,
          isLast: read.isEnd,
        }
      : null,
  )
}

/** Gives the campaign as it was when the rows began, as often as it was looked at. */
async function storeRows(
  ports: WorkPorts,
  { campaign, hash }: Step,
  lines: readonly ContactLine[],
): Promise<readonly Campaign[]> {
  const [assistant, standardNumber] = await Promise.all([
    ports.assistants.findVersion(campaign.assistantId, campaign.assistantVersion),
    defaultFromPhoneNumber(ports, campaign.organizationId),
  ])
  if (assistant === null) throw new Error(`Assistant missing: ${campaign.assistantId}`)
  const starts = lines.flatMap((_, index) => (index % ORDERS_AT_ONCE_MAX === 0 ? [index] : []))
  const begunAs: Campaign[] = []
  await inParallel(starts, BATCHES_AT_ONCE, async (start) => {
    // Paused or cancelled meanwhile, its rows begin as such.
    const current = await ports.campaigns.find(campaign.id)
    if (current === null || current.deletedAt !== null) return
    begunAs.push(current)
    const batch = lines.slice(start, start + ORDERS_AT_ONCE_MAX).map((line, index) => {
      const rowIndex = campaign.contacts.rows + start + index
      const { orderId, rowId } = rowIds(hash, campaign.id, rowIndex)
      return newRowOrder(
        {
          campaign: current,
          assistant,
          defaultFromPhoneNumber: standardNumber,
          orderId,
          row: { rowId, rowIndex },
          line,
        },
        ports.clock.now(),
      )
    })
    await createMissing(ports, batch)
  })
  return begunAs
}

/**
 * Orders that exist already stay what they have become. The first of them tells whether the others
 * are there too, for a read is cheaper than a transaction that fails.
 */
async function createMissing(ports: WorkPorts, orders: readonly CallOrder[]): Promise<void> {
  const ids = orders.map(({ id }) => id)
  const isRepeated = (await ports.calls.findOrders(ids.slice(0, 1))).length > 0
  if (!isRepeated && (await ports.calls.createOrders(orders)).kind === 'saved') return
  const existing = new Set((await ports.calls.findOrders(ids)).map(({ id }) => id))
  for (const order of orders) {
    if (!existing.has(order.id)) await ports.calls.createOrders([order])
  }
}

async function followRows(
  ports: WorkPorts,
  { campaign, hash, from }: Step & { readonly from: number },
): Promise<CampaignChange> {
  // Whoever is still importing would bring rows behind the back of those who erase them.
  if (campaign.deletedAt !== null && from === 0) await ports.calls.closeRows(campaign.id)
  // A chunk that is being imported may be there in part.
  const end = campaign.contacts.rows + (campaign.isImported ? 0 : ROWS_PER_STEP)
  const upTo = Math.min(from + ROWS_PER_STEP, end)
  const ids = Array.from(
    { length: Math.max(0, upTo - from) },
    (_, index) => rowIds(hash, campaign.id, from + index).orderId,
  )
  const orders = await ports.calls.findOrders(ids)
  await inParallel(orders, ROWS_AT_ONCE, (order) => letFollow(ports, campaign, order))
  return applyToCampaign(ports, campaign.id, (current) => {
    // A later change of course may have been followed before this one, which is over.
    if (!isSameCourse(current, campaign)) return { type: 'rowsMisled', from }
    const isNext = current.rowsToFollow === from
    return isNext ? { type: 'rowsFollowed', upTo: upTo < end ? upTo : null } : null
  })
}

/** Whether it means the same to rows. */
function isSameCourse(one: Campaign, other: Campaign): boolean {
  return (
    (one.status === 'paused') === (other.status === 'paused') &&
    one.isCancelled === other.isCancelled &&
    one.deletedAt === other.deletedAt
  )
}

/** The scope last: as long as it is known, the sweep sees to it that nothing else is left. */
async function finishDeletion(ports: WorkPorts, campaign: Campaign): Promise<void> {
  await eraseOwnContacts(ports, campaign)
  await ports.campaigns.erase(campaign.id)
  await ports.calls.unregisterScope(campaignScope(campaign.id))
}

/** What came with the request. An upload may serve other campaigns; its storage lets it expire. */
async function eraseOwnContacts(ports: WorkPorts, campaign: Campaign): Promise<void> {
  const own = contactsKey(campaign.organizationId, campaign.id)
  if (campaign.contacts.key === own) await ports.contactUploads.erase(own)
}

/** Where the contacts of a campaign's request, or those of an upload, are stored. */
export function contactsKey(organizationId: string, id: string): string {
  return `${organizationId}/${id}`
}
