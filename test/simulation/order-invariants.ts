import type { CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import { decideOrder, type OrderEvent } from '#shared/domain/call-order/decide.ts'
import { FINAL_STATUSES, type CallOrder } from '#shared/domain/call-order/order.ts'

import { must } from './must.ts'
import type { SimulatedService } from './simulated-service.ts'

/** Twice as long as any holder is believed in, and some skew. */
const LEASE_MAX_MS = 65_000

/** What holds for an order and its attempts after every change of them. */
export class OrderInvariants {
  readonly #service: SimulatedService
  readonly #finals = new Map<string, string>()
  readonly #endings = new Map<string, string>()

  constructor(service: SimulatedService) {
    this.#service = service
  }

  async check(orderId: string): Promise<void> {
    const call = await this.#service.stores.calls.findCall(orderId)
    if (call === null) return
    const { order, attempts } = call
    this.#checkAttempts(order, attempts)
    this.#checkFinal(order)
    this.#checkOwner(order, attempts)
    await this.#checkGoesOn(order, attempts)
  }

  #checkAttempts(order: CallOrder, attempts: readonly CallAttempt[]): void {
    const live = attempts.filter(({ endedAt }) => endedAt === null)
    must(live.length <= 1, 2, `${order.id} has ${live.length} live attempts`)
    const { maxRetryAttempts } = order.retryConfig
    must(attempts.length <= maxRetryAttempts, 3, `${order.id} has ${attempts.length} attempts`)
    const latest = this.#service.world.now + LEASE_MAX_MS
    for (const attempt of attempts) {
      const { leaseUntil, endedAt, number } = attempt
      const isHeld = leaseUntil !== null && leaseUntil <= latest
      must(endedAt === null ? isHeld : leaseUntil === null, 7, `${order.id} ${number} has no lease`)
      if (endedAt === null) continue
      const { result, dialError, status } = attempt
      const ending = [status, result, dialError, endedAt].join(' ')
      const known = this.#endings.get(attempt.id) ?? ending
      must(known === ending, 8, `attempt ${number} of ${order.id} was ${known}, is ${ending}`)
      this.#endings.set(attempt.id, ending)
    }
  }

  #checkFinal(order: CallOrder): void {
    const final = this.#finals.get(order.id)
    must(final === undefined || final === order.status, 8, `${order.id} left ${final ?? ''}`)
    if (final !== undefined || !FINAL_STATUSES.has(order.status)) return
    this.#finals.set(order.id, order.status)
    for (const event of lateEvents(order, this.#service.world.now)) {
      const decision = decideOrder(order, event, this.#service.world.now)
      const isKept = decision.kind === 'ignored' || decision.order.status === order.status
      must(isKept, 8, `${order.id} is ${order.status} and reacts to ${event.type}`)
    }
  }

  /** Nothing of an order refers to anything of another organization. */
  #checkOwner(order: CallOrder, attempts: readonly CallAttempt[]): void {
    const { organizationId } = order
    for (const attempt of attempts) {
      const isOwn =
        attempt.organizationId === organizationId &&
        attempt.permits.every(({ scope }) => {
          const named = /org_\w+?(?=#|$)/.exec(scope)?.[0]
          return named === undefined || named === organizationId
        })
      must(isOwn, 11, `an attempt of ${order.id} concerns another organization`)
    }
  }

  /** What will happen next is stored somewhere that the sweep looks at. */
  async #checkGoesOn(order: CallOrder, attempts: readonly CallAttempt[]): Promise<void> {
    const { calls } = this.#service.stores
    switch (order.status) {
      case 'scheduled':
      case 'queued_for_calling': {
        const { scope, organizationId, blockedBy, dueAt } = order
        const waiting =
          blockedBy === null
            ? (await calls.listDue(scope, dueAt ?? 0, 10_000)).map(({ orderId }) => orderId)
            : await calls.listBlocked(organizationId, blockedBy, 10_000)
        must(waiting.includes(order.id), 6, `${order.id} waits for nobody`)
        const isLookedAfter = (await calls.listScopes()).includes(scope)
        must(isLookedAfter, 6, `${order.id} waits in a scope that nobody looks at`)
        return
      }
      case 'calling':
        must(attempts.at(-1)?.endedAt === null, 6, `${order.id} is calling without an attempt`)
        return
      case 'post_processing': {
        const undone = await calls.listUndone(Number.MAX_SAFE_INTEGER, 10_000)
        const isAsked = undone.some(
          ({ orderId, effect }) => orderId === order.id && effect.kind === 'concludeAttempt',
        )
        must(isAsked, 6, `${order.id} waits for a conclusion that nobody will make`)
        return
      }
      case 'initializing':
      case 'not_launched':
      case 'paused':
      case 'completed':
      case 'cancelled':
      case 'errored':
    }
  }
}

/** Whatever may still be on its way to an order when it becomes final. */
function lateEvents({ attemptsMade, lastAttempt }: CallOrder, now: number): OrderEvent[] {
  const stale = { startedAt: now, endedAt: now, result: null, dialError: null } as const
  return [
    { type: 'admitted', fromPhoneNumber: '+12025550199' },
    { type: 'deferred', dueAt: now + 60_000 },
    { type: 'due' },
    { type: 'blocked', by: 'TO#' },
    { type: 'unblocked' },
    { type: 'takenBack' },
    { type: 'attemptEnded', attempt: lastAttempt ?? { ...stale, number: attemptsMade } },
    { type: 'attemptEnded', attempt: { ...stale, number: attemptsMade + 1 } },
    { type: 'attemptConcluded', outcome: 'interested', outcomeSummary: null },
    { type: 'pause' },
    { type: 'resume' },
    { type: 'cancel' },
    { type: 'prospectCalledBack' },
    { type: 'fault' },
    { type: 'refused' },
  ]
}
