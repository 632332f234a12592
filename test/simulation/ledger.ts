import {
  FINAL_STATUSES,
  type CallOrder,
  type CallOrderStatus,
} from '#shared/domain/call-order/order.ts'
import type { Stores } from '#shared/ports/service-ports.ts'

import type { World } from './world.ts'

/** What was seen of an attempt, by the world's own clock. */
export interface AttemptFacts {
  readonly orderId: string
  readonly number: number
  /** In which step somebody won the right to dial it. */
  claimedStep: number | null
  claimedAt: number | null
  endedAt: number | null
}

export interface Arrival {
  readonly id: string
  readonly url: string
  readonly body: string
}

/** A permit as the store gave it out. */
export interface Lending {
  readonly holder: string
  readonly scope: string
  readonly at: number
  until: number
}

/**
 * What really happened, and what the owners were told: the invariants hold the service to it. It
 * looks at the stores from outside, behind everything that can go wrong on the way to them.
 */
export class Ledger {
  readonly orders = new Set<string>()
  readonly campaigns = new Set<string>()
  /** By campaign. */
  readonly rows = new Map<string, Set<string>>()
  readonly attempts = new Map<string, AttemptFacts>()
  /** By holder and scope. */
  readonly lendings = new Map<string, Lending>()
  readonly arrivals: Arrival[] = []
  readonly touchedOrders = new Set<string>()
  readonly touchedCampaigns = new Set<string>()
  readonly touchedPermits = new Set<string>()
  lastAdmissionAt = -Infinity
  /** Something has changed that may need looking after. */
  onTouch: () => void = () => {}

  /** In which step the owner was told that the order is cancelled. */
  readonly cancelledStep = new Map<string, number>()
  /** By campaign: since when the owner knows that none of its rows is dialled, for now or for good. */
  readonly pausedAt = new Map<string, number>()
  readonly overAt = new Map<string, number>()
  /** By organization and number: since when the owner knows that it is not called any more. */
  readonly suppressedAt = new Map<string, number>()
  /** What was taken off that list, and may be under way still: nothing is promised of it. */
  readonly allowed = new Set<string>()
  /** Orders that may be called at once, and when their owner was told so. */
  readonly expected = new Map<string, number>()
  /** The first thing that an owner saw and must never see. */
  violation: string | null = null

  readonly #world: World
  /** By order or campaign, and status: what happens when an order of it has come there. */
  readonly #awaited = new Map<string, (() => void)[]>()

  constructor(world: World, stores: Stores) {
    this.#world = world
    this.#watchCalls(stores)
    this.#watchCampaigns(stores)
    this.#watchPermits(stores)
  }

  /** The next time that an order, or one of a campaign, gets a status. */
  once(id: string, status: CallOrderStatus, run: () => void): void {
    const key = `${id} ${status}`
    this.#awaited.set(key, [...(this.#awaited.get(key) ?? []), run])
  }

  #sawStatus({ id, campaign, status }: CallOrder): void {
    this.#world.note(`${id} ${status}`)
    for (const key of [`${id} ${status}`, `${campaign?.campaignId} ${status}`]) {
      const runs = this.#awaited.get(key)
      if (runs === undefined) continue
      this.#awaited.delete(key)
      for (const run of runs) run()
    }
  }

  sawModelRequest(text: string): void {
    const owners = new Set(text.match(/org_\w+/g))
    if (owners.size > 1) this.violation ??= 'Invariant 11 is broken: one prompt, two organizations'
  }

  webhookArrived(arrival: Arrival): void {
    this.arrivals.push(arrival)
    this.#world.note(`webhook ${arrival.id}`)
  }

  /** What a webhook says of an order, to be compared with what is stored when it arrives. */
  announcedStateOf(order: CallOrder): Readonly<Record<string, unknown>> {
    const { organizationId, status, attemptsMade, outcome } = order
    return { organizationId, status, attemptsMade, outcome, isFinal: FINAL_STATUSES.has(status) }
  }

  #touch(order: CallOrder): void {
    this.onTouch()
    this.touchedOrders.add(order.id)
    this.orders.add(order.id)
    const campaignId = order.campaign?.campaignId
    if (campaignId === undefined) return
    const rows = this.rows.get(campaignId) ?? new Set()
    this.rows.set(campaignId, rows.add(order.id))
    this.touchedCampaigns.add(campaignId)
  }

  #watchCalls({ calls }: Stores): void {
    const save = calls.save.bind(calls)
    const createOrders = calls.createOrders.bind(calls)
    const eraseOrder = calls.eraseOrder.bind(calls)
    calls.save = async (write) => {
      const result = await save(write)
      if (result.kind === 'conflict') return result
      const { order, attempt, erasedAttempt } = write
      if (order) {
        this.#touch(order.after)
        if (order.before?.status !== order.after.status) this.#sawStatus(order.after)
      }
      if (attempt) this.#sawAttempt(attempt)
      const erased = this.attempts.get(erasedAttempt?.id ?? '')
      if (erased) erased.endedAt = this.#world.now
      return result
    }
    calls.createOrders = async (orders) => {
      const result = await createOrders(orders)
      if (result.kind === 'saved') for (const order of orders) this.#touch(order)
      return result
    }
    calls.eraseOrder = async (order) => {
      const result = await eraseOrder(order)
      if (result.kind === 'saved') this.#touch(order)
      return result
    }
  }

  #sawAttempt({ before, after }: NonNullable<Parameters<Stores['calls']['save']>[0]['attempt']>) {
    this.onTouch()
    const { now, steps } = this.#world
    const { id, orderId, number } = after
    this.touchedOrders.add(orderId)
    if (before === null) this.lastAdmissionAt = now
    const known = this.attempts.get(id)
    const facts = known ?? { orderId, number, claimedStep: null, claimedAt: null, endedAt: null }
    this.attempts.set(id, facts)
    if (after.dialStartedAt !== null && facts.claimedStep === null) {
      facts.claimedStep = steps
      facts.claimedAt = now
    }
    if (after.endedAt === null || facts.endedAt !== null) return
    facts.endedAt = now
    this.#world.note(`${orderId} ${number} ended: ${after.dialError ?? after.result ?? ''}`)
  }

  #watchCampaigns({ campaigns }: Stores): void {
    const save = campaigns.save.bind(campaigns)
    const erase = campaigns.erase.bind(campaigns)
    campaigns.save = async (change) => {
      const result = await save(change)
      if (result.kind === 'saved') {
        this.onTouch()
        this.campaigns.add(change.after.id)
        this.touchedCampaigns.add(change.after.id)
        const { id, status } = change.after
        if (change.before?.status !== status) this.#world.note(`${id} ${status}`)
      }
      return result
    }
    campaigns.erase = async (campaignId) => {
      await erase(campaignId)
      this.touchedCampaigns.add(campaignId)
    }
  }

  #watchPermits({ permits }: Stores): void {
    const acquire = permits.acquire.bind(permits)
    const release = permits.release.bind(permits)
    const extend = permits.extend.bind(permits)
    permits.acquire = async (request) => {
      const permit = await acquire(request)
      const { holder, scope, until } = request
      if (permit !== null) {
        this.lendings.set(`${holder} ${scope}`, { holder, scope, at: this.#world.now, until })
        this.touchedPermits.add(scope)
      }
      return permit
    }
    permits.release = async (permit, holder) => {
      await release(permit, holder)
      this.lendings.delete(`${holder} ${permit.scope}`)
    }
    permits.extend = async (permit, holder, until) => {
      const isHeld = await extend(permit, holder, until)
      const lending = this.lendings.get(`${holder} ${permit.scope}`)
      if (isHeld && lending) lending.until = until
      return isHeld
    }
  }
}
