import { isDeepStrictEqual } from 'node:util'

import { mayDial } from '#shared/domain/call-order/may-dial.ts'
import { FINAL_STATUSES, type CallOrder } from '#shared/domain/call-order/order.ts'
import type { RowStats } from '#shared/domain/campaign/campaign.ts'

import { must } from './must.ts'
import { webhookUrl } from './owners.ts'
import type { Scenario } from './scenario.ts'
import type { SimulatedService } from './simulated-service.ts'

/** So soon the capacity of a call is back after it ended or its process died. */
const RETURNED_MS = 60_000
/** Longer where the carrier did not say that a call is over. */
const UNHEARD_MS = 90_000
/** The ring time-out, and what it takes to notice. */
const UNOWNED_MS = 45_000
const STALL_MAX_MS = 90_000
/** What may be called when it is placed rings so soon, where nothing goes wrong. */
const PROMPT_MS = 5_000
/** Clocks that differ by more may need the sweep. */
const PROMPT_SKEW_MS = 100
const SWEPT_MS = 25_000

/** What holds for the service as a whole: counters, permits, calls at the carrier, webhooks. */
export class WorldInvariants {
  readonly #service: SimulatedService
  readonly #scenario: Pick<Scenario, 'owners' | 'faults'>
  readonly #bodies = new Map<string, string>()
  #arrivalsChecked = 0

  constructor(service: SimulatedService, scenario: Pick<Scenario, 'owners' | 'faults'>) {
    this.#service = service
    this.#scenario = scenario
  }

  async checkCounters(campaignId: string): Promise<void> {
    const { stores, ledger } = this.#service
    const campaign = await stores.campaigns.find(campaignId)
    if (campaign === null || campaign.deletedAt !== null) return
    const rows = await stores.calls.findOrders([...(ledger.rows.get(campaignId) ?? [])])
    const stats = await stores.calls.rowStats(campaignId)
    must(isDeepStrictEqual(stats, recount(rows)), 10, `the counters of ${campaignId} are wrong`)
  }

  /** As the store counts them; how many calls there really are is counted at each dial. */
  async checkCap(scope: string): Promise<void> {
    const { stores, limits, world } = this.#service
    const [kind, id = ''] = scope.split('#')
    const owner = this.#scenario.owners.find((candidate) => candidate.id === id)
    const campaign = kind === 'CMP' ? await stores.campaigns.find(id) : null
    const caps: Readonly<Record<string, number | null | undefined>> = {
      TO: 1,
      ORG: owner?.cap,
      CMP: campaign?.maxConcurrentCalls,
      TRUNK: limits.trunk.maxConcurrentCalls,
    }
    const count = await stores.permits.count(scope, world.now)
    must(count <= (caps[kind ?? ''] ?? Infinity), 4, `${count} permits of ${scope}`)
  }

  async checkArrivals(): Promise<void> {
    const { arrivals } = this.#service.ledger
    for (; this.#arrivalsChecked < arrivals.length; this.#arrivalsChecked += 1) {
      const arrival = arrivals[this.#arrivalsChecked]
      if (arrival === undefined) continue
      const { id, url, body } = arrival
      must((this.#bodies.get(id) ?? body) === body, 9, `${id} came with two bodies`)
      this.#bodies.set(id, body)
      const orderId = /call_[0-9A-Z]+/.exec(id)?.[0] ?? ''
      const order = await this.#service.stores.calls.findOrder(orderId)
      if (order === null) throw new Error(`A webhook of an unknown order: ${id}`)
      const state = { id, ...this.#service.ledger.announcedStateOf(order) }
      must(order.isAnnounced && body === JSON.stringify(state), 9, `${id} says what is not so`)
      must(receiversOf(this.#scenario, order).includes(url), 11, `${id} was sent to ${url}`)
    }
  }

  /** Needs looking at from time to time only: these rules give time. */
  async checkOverdue(): Promise<void> {
    this.#checkReturned()
    this.#checkUnowned()
    await this.#checkPrompt()
  }

  async checkWebhooks(order: CallOrder, webhookUrlOfOrder: string | null): Promise<void> {
    const isOwed = FINAL_STATUSES.has(order.status) && order.attemptsMade > 0
    const owner = this.#scenario.owners.find(({ id }) => id === order.organizationId)
    const wanted = (webhookUrlOfOrder === null ? 0 : 1) + (owner?.hasEndpoint === true ? 1 : 0)
    const ids = new Set(
      this.#service.ledger.arrivals.map(({ id }) => id).filter((id) => id.includes(order.id)),
    )
    must(ids.size === (isOwed ? wanted : 0), 9, `${order.id} has ${ids.size} webhook ids`)
  }

  /** Of every permit: how long nobody has had a reason to hold it. */
  #checkReturned(): void {
    const { ledger, carrier, world } = this.#service
    const limitMs = this.#scenario.faults.loseCarrierEvent > 0 ? UNHEARD_MS : RETURNED_MS
    for (const { holder, scope, at, until } of ledger.lendings.values()) {
      if (until <= world.now) continue
      const attempt = ledger.attempts.get(holder)
      const dial = carrier.dialOf(holder)
      const isWaiting = attempt?.endedAt === null && attempt.claimedAt === null
      if (isWaiting || (attempt?.endedAt === null && dial?.endedAt === null)) continue
      const idleSince =
        attempt === undefined
          ? at
          : (attempt.endedAt ?? dial?.endedAt ?? attempt.claimedAt ?? world.now)
      const idleMs = world.now - Math.max(idleSince, world.lastFaultAt)
      must(idleMs <= limitMs, 4, `${scope} is held by ${holder} for nothing`)
    }
  }

  #checkUnowned(): void {
    const { ledger, carrier, world } = this.#service
    const stallMs = this.#scenario.faults.stall > 0 ? STALL_MAX_MS : 0
    for (const { request } of carrier.live) {
      const endedAt = ledger.attempts.get(request.attemptId)?.endedAt ?? null
      const unownedMs = endedAt === null ? 0 : world.now - endedAt
      must(unownedMs <= UNOWNED_MS + stallMs, 13, `${request.orderId} is up and nobody’s`)
    }
  }

  async #checkPrompt(): Promise<void> {
    const { ledger, world } = this.#service
    const isSkewed = this.#scenario.faults.skewMs > PROMPT_SKEW_MS
    const limitMs = isSkewed ? SWEPT_MS : PROMPT_MS
    for (const [orderId, at] of ledger.expected) {
      if (world.now < at + limitMs) continue
      ledger.expected.delete(orderId)
      const isCalm =
        world.lastFaultAt < at - RETURNED_MS && ledger.lastAdmissionAt < at - RETURNED_MS
      if (isCalm) must(!(await this.#isIdle(orderId, at)), 15, `${orderId} waits for nothing`)
    }
  }

  /** Whether an order that was placed at `at` could have been called all the time since. */
  async #isIdle(orderId: string, at: number): Promise<boolean> {
    const { stores, ledger, world, carrier } = this.#service
    const order = await stores.calls.findOrder(orderId)
    // One that was changed since has other reasons to wait.
    if (order?.status !== 'queued_for_calling' || order.version > 1) return false
    if (carrier.live.size > 0) return false
    if ([...ledger.lendings.values()].some(({ until }) => until > at)) return false
    return [at, world.now].every((moment) => mayDial(order, 1, moment).kind === 'open')
  }
}

/** The counters as they follow from the rows, by the words of decisions 3. */
function recount(rows: readonly CallOrder[]): RowStats {
  const count = (isCounted: (row: CallOrder) => boolean) => rows.filter(isCounted).length
  const isCalling = ({ status }: CallOrder) => status === 'calling' || status === 'post_processing'
  const isWaiting = (row: CallOrder) => !isCalling(row) && !FINAL_STATUSES.has(row.status)
  return {
    calling: count(isCalling),
    completed: count(({ status }) => status === 'completed'),
    failed: count(({ status }) => status === 'errored' || status === 'cancelled'),
    pending: count((row) => isWaiting(row) && row.attemptsMade === 0),
    retry: count((row) => isWaiting(row) && row.attemptsMade > 0),
    total: rows.length,
  }
}

function receiversOf({ owners }: Pick<Scenario, 'owners'>, order: CallOrder): string[] {
  return owners
    .filter(({ id }) => id === order.organizationId)
    .flatMap((owner) => [webhookUrl(owner, 'call'), webhookUrl(owner, 'endpoint')])
}
