import { isDeepStrictEqual } from 'node:util'

import { Temporal } from 'temporal-polyfill'

import type { CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import { FINAL_STATUSES, type CallOrder } from '#shared/domain/call-order/order.ts'
import { rowIds } from '#shared/domain/campaign/row-ids.ts'
import type { CallRetryConfig } from '#shared/domain/retry/call-retry-config.ts'
import { hash, recount } from '#test/support/campaign-stage.ts'

import { unrestOf } from './campaign-unrest.ts'
import type { Promises } from './owner.ts'
import type { SimulatedService } from './simulated-service.ts'
import { ORGANIZATION_CAP } from './workload.ts'

/** Between the last look at the clock and the carrier lies one request. */
const DIAL_TRAVEL_MS = 100

/** Dialling stops so long after the answer to whoever stops a campaign. */
const STOPPING_MS = 2_000

/** The rules of the architecture (section 7) that nothing may ever break. */
export class Invariants {
  readonly #service: SimulatedService
  readonly #promises: Promises
  readonly #finals = new Map<string, string>()
  #dialsChecked = 0

  constructor(service: SimulatedService, promises: Promises) {
    this.#service = service
    this.#promises = promises
  }

  /** After every step: the orders that it touched, and the dials that it made. */
  async checkStep(touched: ReadonlySet<string>): Promise<void> {
    for (const orderId of touched) {
      const call = await this.#service.stores.calls.findCall(orderId)
      if (call === null) continue
      this.#checkAttempts(call.order, call.attempts)
      this.#checkFinal(call.order)
      await this.#checkGoesOn(call.order, call.attempts)
    }
    const { dials } = this.#service.carrier
    for (; this.#dialsChecked < dials.length; this.#dialsChecked += 1) await this.#checkLastDial()
    if (touched.size > 0) await this.#checkPermits()
    for (const campaignId of this.#service.campaignIds) await this.#checkCounters(campaignId)
  }

  /** When the world has come to rest: nobody is left behind and nothing is held. */
  async checkRest(orderIds: ReadonlySet<string>): Promise<void> {
    for (const orderId of orderIds) {
      const call = await this.#service.stores.calls.findCall(orderId)
      if (call === null) continue
      const { order, attempts } = call
      const isDone = FINAL_STATUSES.has(order.status) || order.status === 'paused'
      must(isDone, 6, `${orderId} is ${order.status} and nothing will happen to it`)
      must(
        attempts.every(({ endedAt }) => endedAt !== null),
        7,
        `${orderId} has a live attempt`,
      )
      for (const { permits } of attempts) {
        for (const { scope } of permits) {
          must((await this.#count(scope)) === 0, 4, `${scope} is held at rest`)
        }
      }
      this.#checkWebhook(order)
    }
    for (const campaignId of this.#service.campaignIds) {
      const unrest = await unrestOf(this.#service.stores, campaignId)
      must(unrest === null, 6, `${campaignId} ${unrest ?? ''}`)
    }
  }

  async #checkCounters(campaignId: string): Promise<void> {
    const { calls, campaigns } = this.#service.stores
    const campaign = await campaigns.find(campaignId)
    if (campaign === null || campaign.deletedAt !== null) return
    const ids = Array.from(
      { length: campaign.contacts.count ?? 0 },
      (_, index) => rowIds(hash, campaignId, index).orderId,
    )
    const counted = recount(await calls.findOrders(ids))
    const stats = await calls.rowStats(campaignId)
    must(isDeepStrictEqual(stats, counted), 10, `the counters of ${campaignId} are wrong`)
  }

  #checkAttempts(order: CallOrder, attempts: readonly CallAttempt[]): void {
    const live = attempts.filter(({ endedAt }) => endedAt === null)
    must(live.length <= 1, 2, `${order.id} has ${live.length} live attempts`)
    must(
      attempts.length <= order.retryConfig.maxRetryAttempts,
      3,
      `${order.id} has ${attempts.length} attempts`,
    )
    must(
      attempts.every((attempt) => (attempt.endedAt === null) === (attempt.leaseUntil !== null)),
      7,
      `${order.id} has a live attempt without a lease`,
    )
  }

  #checkFinal(order: CallOrder): void {
    const final = this.#finals.get(order.id)
    must(final === undefined || final === order.status, 8, `${order.id} left ${final ?? ''}`)
    if (FINAL_STATUSES.has(order.status)) this.#finals.set(order.id, order.status)
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

  async #checkLastDial(): Promise<void> {
    const { dials } = this.#service.carrier
    const dial = dials[this.#dialsChecked]
    if (dial === undefined) return
    const { attemptId, orderId, number, to } = dial.request
    const same = dials.filter(({ request }) => request.attemptId === attemptId)
    must(same.length === 1, 2, `${attemptId} was dialled ${same.length} times`)
    const ringing = dials.filter((other) => other.request.to === to && other.endedAt === null)
    must(ringing.length === 1, 2, `one person has ${ringing.length} calls at once`)
    const order = await this.#service.stores.calls.findOrder(orderId)
    if (order === null) throw new Error('A dial of an unknown order')
    const isForced = order.forceNow && number === 1
    const isInside =
      isForced ||
      isInsideWindow(order.retryConfig, dial.at) ||
      isInsideWindow(order.retryConfig, dial.at - DIAL_TRAVEL_MS)
    must(isInside, 1, `${orderId} was dialled outside its window`)
    const cancelledAt = this.#promises.cancelledAt.get(orderId)
    must(
      cancelledAt === undefined || cancelledAt + DIAL_TRAVEL_MS >= dial.at,
      5,
      `${orderId} was dialled after it was cancelled`,
    )
    const stoppedAt = this.#promises.stoppedAt.get(order.campaign?.campaignId ?? '')
    must(
      stoppedAt === undefined || stoppedAt + STOPPING_MS >= dial.at,
      5,
      `${orderId} was dialled after its campaign was stopped`,
    )
  }

  async #checkPermits(): Promise<void> {
    const { id, maxConcurrentCalls } = this.#service.limits.trunk
    must(
      (await this.#count('ORG#org_simulated')) <= ORGANIZATION_CAP,
      4,
      'organization over its cap',
    )
    must((await this.#count(`TRUNK#${id}`)) <= maxConcurrentCalls, 4, 'trunk over its cap')
  }

  #checkWebhook(order: CallOrder): void {
    const ids = new Set(
      this.#service.arrivals.map(({ id }) => id).filter((id) => id.endsWith(order.id)),
    )
    const isOwed =
      FINAL_STATUSES.has(order.status) &&
      order.attemptsMade > 0 &&
      order.assistant.kind === 'inline' &&
      order.assistant.settings.webhookUrl !== null
    must(ids.size === (isOwed ? 1 : 0), 9, `${order.id} has ${ids.size} webhook ids`)
  }

  #count(scope: string): Promise<number> {
    return this.#service.stores.permits.count(scope, this.#service.world.now)
  }
}

function must(condition: boolean, invariant: number, what: string): void {
  if (!condition) throw new Error(`Invariant ${invariant} is broken: ${what}`)
}

/** Windows by the letter of spec 2.6, written a second time and slowly, to check the first. */
export function isInsideWindow(config: CallRetryConfig, at: number): boolean {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(
    config.timezone ?? 'UTC',
  )
  const minute = local.hour * 60 + local.minute
  const dayName = (offset: number) =>
    (['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const)[
      (local.dayOfWeek - 1 + offset + 7) % 7
    ]
  const isAllowed = (offset: number) => config.allowedDays.some((day) => day === dayName(offset))
  return config.callingWindows.some((window) => {
    const [start, end] = [window.callingWindowStartTime, window.callingWindowEndTime].map(
      (text) => {
        const [hours = '0', minutes = '0'] = text.split(':')
        return Number(hours) * 60 + Number(minutes)
      },
    ) as [number, number]
    if (start < end) return isAllowed(0) && minute >= start && minute < end
    return (isAllowed(0) && minute >= start) || (isAllowed(-1) && minute < end)
  })
}
