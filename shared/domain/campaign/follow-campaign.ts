/** What the state of a campaign means to its rows' orders. */

import { decideOrder, type OrderDecision, type OrderEvent } from '../call-order/decide.ts'
import { FINAL_STATUSES, type CallOrder } from '../call-order/order.ts'
import { isOver, type Campaign } from './campaign.ts'

export type CampaignState = Pick<Campaign, 'status' | 'isCancelled' | 'deletedAt'>

/**
 * Holds an order back that waits for a call its campaign no longer makes. A call in progress goes on
 * to its end (spec 3.3). Null stands for a campaign that is not there any more.
 */
export function holdBack(
  order: CallOrder,
  campaign: CampaignState | null,
  now: number,
): OrderDecision {
  if (campaign === null || isOver(campaign)) {
    return isWaiting(order) || order.status === 'paused'
      ? decideOrder(order, { type: 'cancel' }, now)
      : NOTHING
  }
  return campaign.status === 'paused' && isWaiting(order)
    ? decideOrder(order, { type: 'pause' }, now)
    : NOTHING
}

/** The same, and lets paused rows of a campaign that goes on go on too. */
export function followCampaign(
  order: CallOrder,
  campaign: CampaignState,
  now: number,
): OrderDecision {
  const goesOn = !isOver(campaign) && campaign.status !== 'paused'
  const resume: OrderEvent = { type: 'resume' }
  return goesOn && order.status === 'paused'
    ? decideOrder(order, resume, now)
    : holdBack(order, campaign, now)
}

const NOTHING: OrderDecision = { kind: 'ignored', reason: 'follows its campaign' }

function isWaiting(order: CallOrder): boolean {
  return order.dueAt !== null && !FINAL_STATUSES.has(order.status)
}
