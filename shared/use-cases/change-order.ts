import { decideOrder, type OrderEvent } from '#shared/domain/call-order/decide.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { decideAttemptWithOrder } from './change-attempt.ts'
import { commitCall, type CommitPorts } from './commit-call.ts'

/** Changes of an order that its owner may ask for again and again while others change it too. */
const CONFLICTS_MAX = 8

export type OwnerChangeResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'conflict'; readonly reason: string }

interface OrderOfOwner {
  readonly organizationId: string
  readonly orderId: string
}

/**
 * Cancels an order at once. An attempt that is admitted but not yet dialled is withdrawn in the same
 * transaction: whoever comes first, this or the claim, decides whether the phone rings. A call in
 * progress goes on to its end (decisions 3).
 */
export async function cancelCall(
  ports: CommitPorts,
  target: OrderOfOwner,
): Promise<OwnerChangeResult> {
  return changeOrder(ports, target, { type: 'cancel' })
}

/** Holds an order back: at once while it waits, before the next attempt while a call is going on. */
export async function pauseCall(
  ports: CommitPorts,
  target: OrderOfOwner,
): Promise<OwnerChangeResult> {
  return changeOrder(ports, target, { type: 'pause' })
}

/** Lets a paused order go on, planned afresh. */
export async function resumeCall(
  ports: CommitPorts,
  target: OrderOfOwner,
): Promise<OwnerChangeResult> {
  return changeOrder(ports, target, { type: 'resume' })
}

async function changeOrder(
  ports: Pick<ServicePorts, keyof CommitPorts>,
  target: OrderOfOwner,
  event: OrderEvent,
): Promise<OwnerChangeResult> {
  for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
    const call = await ports.calls.findCall(target.orderId)
    if (call === null || call.order.organizationId !== target.organizationId) {
      return { kind: 'not_found' }
    }
    const now = ports.clock.now()
    const decision = decideOrder(call.order, event, now)
    if (decision.kind === 'ignored') return { kind: 'conflict', reason: decision.reason }
    const last = call.attempts.at(-1)
    const isUndialled = last !== undefined && last.endedAt === null && last.dialStartedAt === null
    const withdrawal =
      event.type === 'cancel' && isUndialled
        ? decideAttemptWithOrder(decision.order, last, { type: 'withdrawn' }, now)
        : null
    const withdrawn = withdrawal?.kind === 'decided' ? withdrawal : null
    const after = withdrawn?.order ?? decision.order
    const saved = await commitCall(ports, {
      orderId: target.orderId,
      // Two decisions in one transaction are one change of the stored order.
      order: { before: call.order, after: { ...after, version: call.order.version + 1 } },
      attempt:
        withdrawn === null || last === undefined
          ? undefined
          : { before: last, after: withdrawn.attempt },
      effects: [...decision.effects, ...(withdrawn?.effects ?? [])],
    })
    if (saved) return { kind: 'done' }
  }
  return { kind: 'conflict', reason: 'The call is being changed by others; ask again.' }
}
