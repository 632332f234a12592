import type { CallOrder } from '#shared/domain/call-order/order.ts'

import { isInsideWindow, windowOf } from './inside-window.ts'
import { must } from './must.ts'
import type { Scenario } from './scenario.ts'
import type { Dial } from './simulated-carrier.ts'
import type { SimulatedService } from './simulated-service.ts'

/** Dialling stops so long after the answer to whoever stops a campaign. */
const STOPPING_MS = 2_000

/** What holds for every dial that reaches the carrier. */
export class DialInvariants {
  readonly #service: SimulatedService
  readonly #scenario: Pick<Scenario, 'owners' | 'faults'>
  readonly #dialled = new Map<string, number>()
  #checked = 0

  constructor(service: SimulatedService, scenario: Pick<Scenario, 'owners' | 'faults'>) {
    this.#service = service
    this.#scenario = scenario
  }

  async check(): Promise<void> {
    const { dials } = this.#service.carrier
    for (; this.#checked < dials.length; this.#checked += 1) {
      const dial = dials[this.#checked]
      if (dial !== undefined) await this.#checkDial(dial)
    }
  }

  async #checkDial(dial: Dial): Promise<void> {
    const { attemptId, orderId, number, from } = dial.request
    const times = (this.#dialled.get(attemptId) ?? 0) + 1
    this.#dialled.set(attemptId, times)
    must(times === 1, 2, `attempt ${number} of ${orderId} was dialled ${times} times`)
    const facts = this.#service.ledger.attempts.get(attemptId)
    must(facts?.endedAt === null, 13, `${orderId} was dialled for an attempt that is over`)
    const call = await this.#service.stores.calls.findCall(orderId)
    if (call === null) throw new Error('A dial of an unknown order')
    const { order } = call
    const owner = this.#scenario.owners.find(({ id }) => id === order.organizationId)
    must(from === owner?.fromPhoneNumber, 11, `${orderId} was dialled from a foreign number`)
    this.#checkWindow(order, dial)
    this.#checkStopped(order, dial)
    await this.#checkLive(order, dial)
    const last = call.attempts.find((attempt) => attempt.number === number - 1)
    if (last !== undefined) this.#checkDelay(order, dial, { ...last, endedAt: last.endedAt ?? 0 })
  }

  #checkWindow(order: CallOrder, { askedAt, request }: Dial): void {
    if (order.forceNow && request.number === 1) return
    const { skewMs } = this.#scenario.faults
    const isOpen = (at: number) =>
      order.timeZones.every((zone) => isInsideWindow(order.retryConfig, zone, at))
    // The clock of whoever dials may be wrong by so much.
    const isInside = isOpen(askedAt) || isOpen(askedAt - skewMs) || isOpen(askedAt + skewMs)
    must(isInside, 1, `${order.id} was dialled outside its window`)
  }

  /** Whoever won the right to dial before the owner was told goes on with it. */
  #checkStopped(order: CallOrder, { request, askedAt }: Dial): void {
    const { ledger, world } = this.#service
    const claimedStep = ledger.attempts.get(request.attemptId)?.claimedStep ?? world.steps
    const cancelledStep = ledger.cancelledStep.get(order.id) ?? Infinity
    must(claimedStep <= cancelledStep, 5, `${order.id} was dialled after it was cancelled`)
    const campaignId = order.campaign?.campaignId ?? ''
    const stoppedAt = Math.min(
      ledger.pausedAt.get(campaignId) ?? Infinity,
      ledger.overAt.get(campaignId) ?? Infinity,
    )
    const isInTime = askedAt <= stoppedAt + STOPPING_MS
    must(isInTime, 5, `${order.id} was dialled after its campaign was stopped`)
    const key = `${order.organizationId} ${order.toPhoneNumber}`
    const suppressedAt = ledger.suppressedAt.get(key) ?? Infinity
    const isAllowed = ledger.allowed.has(key) || askedAt <= suppressedAt
    must(isAllowed, 12, `${order.id} was dialled though it is suppressed`)
  }

  /** Counted at the carrier: what the service believes does not matter here. */
  async #checkLive(order: CallOrder, { request }: Dial): Promise<void> {
    const { carrier, limits, stores } = this.#service
    const live = await stores.calls.findOrders(
      [...carrier.live].map((other) => other.request.orderId),
    )
    const own = live.filter(({ organizationId }) => organizationId === order.organizationId)
    const called = own.filter(({ toPhoneNumber }) => toPhoneNumber === request.to)
    must(called.length === 1, 2, `one person has ${called.length} calls at once`)
    const cap = this.#scenario.owners.find(({ id }) => id === order.organizationId)?.cap ?? 0
    must(own.length <= cap, 4, `${own.length} calls of ${order.organizationId} at once`)
    must(live.length <= limits.trunk.maxConcurrentCalls, 4, `${live.length} calls on the trunk`)
    const campaignId = order.campaign?.campaignId
    const campaign = campaignId === undefined ? null : await stores.campaigns.find(campaignId)
    if (campaign !== null) {
      const rows = own.filter((other) => other.campaign?.campaignId === campaignId)
      const most = campaign.maxConcurrentCalls ?? Infinity
      must(rows.length <= most, 4, `${rows.length} calls of ${campaign.id} at once`)
    }
    const key = order.concurrency?.key
    if (key === undefined) return
    const keyed = own.filter(({ concurrency }) => concurrency?.key === key)
    const most = Math.max(...keyed.map(({ concurrency }) => concurrency?.max ?? 0))
    must(keyed.length <= most, 4, `${keyed.length} calls under one key at once`)
  }

  #checkDelay(
    order: CallOrder,
    { askedAt, request }: Dial,
    last: { readonly dialStartedAt: number | null; readonly endedAt: number },
  ): void {
    const { retryConfig, timeZones } = order
    if (retryConfig.callTwiceInARow && request.number === 2) return
    const window = windowOf(retryConfig, timeZones[0] ?? 'UTC', last.dialStartedAt ?? 0)
    const { retryDelaySeconds } = window ??
      retryConfig.callingWindows[0] ?? { retryDelaySeconds: 0 }
    const earliest = last.endedAt + retryDelaySeconds * 1_000 - 2 * this.#scenario.faults.skewMs
    must(askedAt >= earliest, 14, `${order.id} was dialled again too early`)
  }
}
