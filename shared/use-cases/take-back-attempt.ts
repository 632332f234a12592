import { decideOrder } from '#shared/domain/call-order/decide.ts'
import { holdBack } from '#shared/domain/campaign/follow-campaign.ts'

import { commitCall } from './commit-call.ts'
import { freeCapacityOf, type PermitPorts } from './release-permits.ts'

const CONFLICTS_MAX = 8

/**
 * Undoes the admission of an attempt that nobody has dialled and that may not be dialled now: its
 * campaign was paused or cancelled meanwhile, or its window has closed. The order waits again, or does
 * what its campaign does. Attempt and order change in one transaction, so a claim that comes first wins.
 */
export async function takeBackAttempt(
  ports: PermitPorts,
  target: { readonly orderId: string; readonly number: number },
): Promise<void> {
  for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
    const call = await ports.calls.findCall(target.orderId)
    const attempt = call?.attempts.find(({ number }) => number === target.number)
    if (call === null || attempt === undefined) return
    if (attempt.endedAt !== null || attempt.dialStartedAt !== null) return
    const now = ports.clock.now()
    const taken = decideOrder(call.order, { type: 'takenBack' }, now)
    if (taken.kind === 'ignored') return
    const campaignId = taken.order.campaign?.campaignId
    const held =
      campaignId !== undefined && holdBack(taken.order, await ports.campaigns.find(campaignId), now)
    const after = held && held.kind === 'changed' ? held : taken
    const saved = await commitCall(ports, {
      orderId: target.orderId,
      // Two decisions in one transaction are one change of the stored order.
      order: { before: call.order, after: { ...after.order, version: taken.order.version } },
      erasedAttempt: attempt,
      effects: after.effects,
    })
    if (saved) return freeCapacityOf(ports, attempt)
  }
}
