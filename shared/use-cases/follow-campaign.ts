import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { Campaign } from '#shared/domain/campaign/campaign.ts'
import { followCampaign, holdBack } from '#shared/domain/campaign/follow-campaign.ts'

import { commitCall, type CommitPorts } from './commit-call.ts'

/** Somebody else may change the same order this often before it is left to the next occasion. */
const CONFLICTS_MAX = 8

/**
 * Lets one row's order follow its campaign; null stands for one that is gone. A row of a deleted
 * campaign goes with it, unless it was ever called: then its call is kept.
 */
export async function letFollow(
  ports: CommitPorts,
  campaign: Campaign | null,
  row: CallOrder,
): Promise<void> {
  const isDeleted = campaign === null || campaign.deletedAt !== null
  let order: CallOrder | null = row
  for (let conflicts = 0; conflicts < CONFLICTS_MAX && order !== null; conflicts += 1) {
    if (isDeleted && order.attemptsMade === 0) {
      if ((await ports.calls.eraseOrder(order)).kind === 'saved') return
    } else {
      const now = ports.clock.now()
      const decision =
        campaign === null ? holdBack(order, null, now) : followCampaign(order, campaign, now)
      if (decision.kind === 'ignored') return
      const saved = await commitCall(ports, {
        orderId: order.id,
        order: { before: order, after: decision.order },
        // Whoever lets many rows follow wakes their scope once.
        effects: decision.effects.filter(({ kind }) => kind !== 'wakeScope'),
      })
      if (saved) return
    }
    order = await ports.calls.findOrder(order.id)
  }
}
