import { findAssistantOf } from '#shared/use-cases/find-assistant-of.ts'

import { DialInvariants } from './dial-invariants.ts'
import { must } from './must.ts'
import { OrderInvariants } from './order-invariants.ts'
import { foreignThings } from './owners.ts'
import { Process } from './process.ts'
import { isDone, unrestOf } from './rest.ts'
import type { Scenario } from './scenario.ts'
import type { SimulatedService } from './simulated-service.ts'
import { WorldInvariants } from './world-invariants.ts'

/** How often rules are looked at that give time. */
const OVERDUE_CHECK_MS = 1_000

/** The rules of the architecture (section 7) that nothing may ever break: `must.ts` names them. */
export class Invariants {
  readonly #service: SimulatedService
  readonly #scenario: Pick<Scenario, 'owners' | 'faults'>
  readonly #orders: OrderInvariants
  readonly #dials: DialInvariants
  readonly #world: WorldInvariants
  #overdueCheckedAt = -Infinity

  constructor(service: SimulatedService, scenario: Pick<Scenario, 'owners' | 'faults'>) {
    this.#service = service
    this.#scenario = scenario
    this.#orders = new OrderInvariants(service)
    this.#dials = new DialInvariants(service, scenario)
    this.#world = new WorldInvariants(service, scenario)
  }

  /** After every step: all that it touched. */
  async checkStep(): Promise<void> {
    const { ledger, world } = this.#service
    if (ledger.violation !== null) throw new Error(ledger.violation)
    await drain(ledger.touchedOrders, (orderId) => this.#orders.check(orderId))
    await this.#dials.check()
    await drain(ledger.touchedPermits, (scope) => this.#world.checkCap(scope))
    await drain(ledger.touchedCampaigns, (campaignId) => this.#world.checkCounters(campaignId))
    await this.#world.checkArrivals()
    if (world.now < this.#overdueCheckedAt + OVERDUE_CHECK_MS) return
    this.#overdueCheckedAt = world.now
    await this.#world.checkOverdue()
  }

  /** When the world has come to rest: nobody is left behind and nothing is held. */
  async checkRest(): Promise<void> {
    const { stores, ledger, world, carrier } = this.#service
    must(carrier.live.size === 0, 13, 'a call is up at rest')
    for (const orderId of ledger.orders) await this.#checkOrderAtRest(orderId)
    for (const { scope, holder, until } of ledger.lendings.values()) {
      must(until <= world.now, 4, `${scope} is held by ${holder} at rest`)
    }
    for (const campaignId of ledger.campaigns) {
      const unrest = await unrestOf(stores, campaignId, ledger.rows.get(campaignId) ?? [])
      must(unrest === null, 6, `${campaignId} ${unrest ?? ''}`)
    }
    const ports = this.#service.portsFor(new Process('afterwards'))
    for (const owner of this.#scenario.owners) {
      const foreign = await foreignThings({ ...ports, ...stores }, owner)
      must(foreign.length === 0, 11, `${owner.id} sees what is not theirs`)
    }
  }

  async #checkOrderAtRest(orderId: string): Promise<void> {
    const { stores } = this.#service
    const call = await stores.calls.findCall(orderId)
    if (call === null) return
    const { order, attempts } = call
    must(isDone(order, this.#service.world.now), 6, `nothing will happen to ${orderId} any more`)
    const isOver = attempts.every(({ endedAt }) => endedAt !== null)
    must(isOver, 7, `${orderId} has a live attempt`)
    const { webhookUrl } = await findAssistantOf(stores, order)
    await this.#world.checkWebhooks(order, webhookUrl)
  }
}

/** What is added meanwhile is left for the next time. */
async function drain(touched: Set<string>, check: (id: string) => Promise<void>): Promise<void> {
  if (touched.size === 0) return
  const ids = [...touched]
  touched.clear()
  for (const id of ids) await check(id)
}
