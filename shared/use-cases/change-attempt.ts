import type { CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import type { AttemptEvent } from '#shared/domain/call-attempt/decide.ts'
import { decideAttempt } from '#shared/domain/call-attempt/decide.ts'
import { decideOrder } from '#shared/domain/call-order/decide.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { Effect } from '#shared/domain/effect.ts'

import { commitCall, type CommitPorts } from './commit-call.ts'

/** Somebody else may change the same records this often before a change gives up. */
const CONFLICTS_MAX = 8

export type ChangeResult =
  | { readonly kind: 'changed'; readonly order: CallOrder; readonly attempt: CallAttempt }
  | { readonly kind: 'ignored'; readonly reason: string }

/**
 * Applies one event to an attempt, and to its order when the attempt ends by it, in one transaction.
 * When somebody else was faster, the event is decided again on what is stored now.
 */
export async function changeAttempt(
  ports: CommitPorts,
  target: { readonly orderId: string; readonly number: number },
  eventFor: (
    attempt: CallAttempt,
    order: CallOrder,
  ) => AttemptEvent | null | Promise<AttemptEvent | null>,
): Promise<ChangeResult> {
  let visualNumber: number | undefined
  for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
    const call = await ports.calls.findCall(target.orderId)
    const attempt = call?.attempts.find(({ number }) => number === target.number)
    if (call === null || attempt === undefined)
      return { kind: 'ignored', reason: 'unknown attempt' }
    const event = await eventFor(attempt, call.order)
    if (event === null) return { kind: 'ignored', reason: 'not asked for any more' }
    const now = ports.clock.now()
    visualNumber ??= await visualNumberFor(ports, { order: call.order, attempt, event, now })
    const decided = decideAttemptWithOrder(call.order, attempt, event, now, visualNumber)
    if (decided.kind === 'ignored') return decided
    const saved = await commitCall(ports, {
      orderId: target.orderId,
      attempt: { before: attempt, after: decided.attempt },
      order:
        decided.order === call.order ? undefined : { before: call.order, after: decided.order },
      effects: decided.effects,
    })
    if (saved) return { kind: 'changed', order: decided.order, attempt: decided.attempt }
  }
  throw new Error('An attempt was changed by others too often')
}

/** The next number of the campaign, when a human is reached by this event for the first time. */
async function visualNumberFor(
  ports: Pick<CommitPorts, 'campaigns'>,
  change: {
    readonly order: CallOrder
    readonly attempt: CallAttempt
    readonly event: AttemptEvent
    readonly now: number
  },
): Promise<number | undefined> {
  const { campaign, visualNumber } = change.order
  if (campaign === null || visualNumber !== null) return undefined
  const decision = decideAttempt(change.attempt, change.event, change.now)
  const isReached = decision.kind === 'changed' && decision.ended?.result === 'human'
  return isReached ? ports.campaigns.nextVisualNumber(campaign.campaignId) : undefined
}

type Decided =
  | {
      readonly kind: 'decided'
      readonly order: CallOrder
      readonly attempt: CallAttempt
      readonly effects: readonly Effect[]
    }
  | { readonly kind: 'ignored'; readonly reason: string }

/** An event of an attempt, and what its end means to the order. */
export function decideAttemptWithOrder(
  order: CallOrder,
  attempt: CallAttempt,
  event: AttemptEvent,
  now: number,
  visualNumber?: number,
): Decided {
  const decision = decideAttempt(attempt, event, now)
  if (decision.kind === 'ignored') return decision
  if (decision.ended === null) {
    return { kind: 'decided', order, attempt: decision.attempt, effects: [] }
  }
  const ended = { type: 'attemptEnded', attempt: decision.ended, visualNumber } as const
  const next = decideOrder(order, ended, now)
  return next.kind === 'ignored'
    ? { kind: 'decided', order, attempt: decision.attempt, effects: [] }
    : { kind: 'decided', order: next.order, attempt: decision.attempt, effects: next.effects }
}
