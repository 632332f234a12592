import { memoryStores } from '#shared/data/memory.ts'
import type { CarrierEvent } from '#shared/domain/call-attempt/carrier-event.ts'
import { FINAL_STATUSES } from '#shared/domain/call-order/order.ts'
import { HEARTBEAT_MS, SESSION_LEASE_MS, SWEEP_INTERVAL_MS } from '#shared/domain/lease.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { Ids } from '#shared/ports/ids.ts'
import type { LanguageModel } from '#shared/ports/language-model.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'
import { adoptAttempt } from '#shared/use-cases/adopt-attempt.ts'
import { announceCall } from '#shared/use-cases/announce-call.ts'
import { applyCarrierEvent } from '#shared/use-cases/apply-carrier-event.ts'
import { concludeAttempt } from '#shared/use-cases/conclude-attempt.ts'
import { deliverWebhook } from '#shared/use-cases/deliver-webhook.ts'
import { dispatchScope } from '#shared/use-cases/dispatch-scope.ts'
import { finishSession } from '#shared/use-cases/finish-session.ts'
import { startAttempt } from '#shared/use-cases/start-attempt.ts'
import { sweep } from '#shared/use-cases/sweep.ts'
import { workOnCampaign } from '#shared/use-cases/work-on-campaign.ts'
import { hash } from '#test/support/campaign-stage.ts'
import { memoryContactUploads } from '#test/support/memory-contact-uploads.ts'

import { unrestOf } from './campaign-unrest.ts'
import { unreliable, type Faults } from './faults.ts'
import { MessageQueues } from './message-queues.ts'
import { SimulatedCarrier, type MediaOffer } from './simulated-carrier.ts'
import type { Process, World } from './world.ts'

const RUNTIMES = 2
const RESTART_MS = 5_000
const IDLE_TICK_MS = 3_600_000

/** A webhook that arrived: under which id, when. */
export interface Arrival {
  readonly id: string
  readonly at: number
}

/** The production use cases, run as processes of a simulated world. */
export class SimulatedService {
  readonly world: World
  readonly stores = memoryStores()
  readonly carrier: SimulatedCarrier
  readonly contactUploads = memoryContactUploads()
  readonly arrivals: Arrival[] = []
  faults: Faults
  readonly #queues: MessageQueues
  readonly #runtimes: Process[] = []

  constructor(world: World, faults: Faults, trunk: ServicePorts['limits']['trunk']) {
    this.world = world
    this.faults = faults
    this.limits = { trunk, ringTimeoutSecs: 30 }
    this.#queues = new MessageQueues(world, () => this.faults)
    this.carrier = new SimulatedCarrier(world, () => this.faults)
    this.#consumeQueues()
    this.carrier.onEvent = (event) => this.#deliverCarrierEvent(event, 1)
    this.carrier.onMedia = (offer) => this.#offerMedia(offer)
    for (let index = 0; index < RUNTIMES; index += 1) this.#startRuntime(index)
    void this.#tick()
  }

  readonly limits: ServicePorts['limits']

  /** Every campaign that was ever stored. */
  readonly campaignIds = new Set<string>()

  /** Everything as one process sees it. */
  portsFor(process: Process): ServicePorts {
    const { world } = this
    const seen = <T extends object>(port: T) =>
      unreliable(port, { world, process, faults: () => this.faults })
    const unused = () => Promise.reject(new Error('not part of this world'))
    return {
      ...(Object.fromEntries(
        Object.entries(this.stores).map(([name, store]) => [name, seen(store)]),
      ) as unknown as typeof this.stores),
      queues: seen(this.#queues),
      scheduler: seen(this.#queues),
      telephony: seen(this.carrier),
      carrierEvents: { read: () => ({ kind: 'refused', reason: 'unknown_provider' }) },
      languageModel: this.#languageModel(),
      contactUploads: seen(this.contactUploads),
      recordings: { put: unused, url: unused },
      webClient: { post: (request) => this.#receiveWebhook(request.headers) },
      webhookSigner: { sign: ({ id }) => ({ 'webhook-id': id }) },
      clock: { now: () => world.now },
      ids: this.ids,
      logger: { info: () => {}, warn: () => {}, error: () => {} },
      limits: this.limits,
    }
  }

  #counter = 0
  readonly ids: Ids = {
    next: (prefix) => `${prefix}_${String((this.#counter += 1)).padStart(8, '0')}`,
    random: () => this.world.random.next(),
  }

  #consumeQueues(): void {
    this.#queues.consume('dispatch', async (process, message) => {
      const ports = this.portsFor(process)
      if ('scope' in message) await dispatchScope(ports, message.scope)
      else await sweep(ports)
    })
    this.#queues.consume('import', async (process, message) => {
      if ('campaignId' in message) {
        await workOnCampaign(this.portsFor(process), { ...message, hash })
      }
    })
    this.#queues.consume('call-start', async (process, message) => {
      if (!('number' in message)) return
      const owner = this.world.random.pick(this.#runtimes)
      if (!owner.isAlive) throw new Error('No runtime is up')
      // The message is worked on by a runtime, and dies with it.
      const hand: Process = {
        name: owner.name,
        get isAlive() {
          return owner.isAlive && process.isAlive
        },
        set isAlive(_) {},
      }
      const mediaUrl = `media/${message.orderId}/${message.number}`
      await startAttempt(this.portsFor(hand), { ...message, owner: owner.name, mediaUrl })
    })
    this.#queues.consume('post-call', async (process, message, count) => {
      if (!('number' in message)) return
      await concludeAttempt(this.portsFor(process), { ...message, isLastChance: count >= 3 })
    })
    this.#queues.consume('notify', async (process, message) => {
      if (!('event' in message)) return
      await announceCall(this.portsFor(process), message, ({ id }) => JSON.stringify({ id }))
    })
    this.#queues.consume('webhook', async (process, message) => {
      if ('deliveryId' in message) await deliverWebhook(this.portsFor(process), message.deliveryId)
    })
  }

  /** Ticks that would find nothing to do are left out: time passes faster without them. */
  async #tick(): Promise<void> {
    await this.#queues.send('dispatch', { sweep: true })
    const idleMs = await this.#idleMs()
    this.world.in(Math.max(SWEEP_INTERVAL_MS, idleMs), () => void this.#tick())
  }

  async #idleMs(): Promise<number> {
    const { calls, webhooks } = this.stores
    if (!(await this.#isQuiet())) return 0
    const scopes = await calls.listScopes()
    const dues = await Promise.all(scopes.map((scope) => calls.nextDueAt(scope)))
    const [delivery] = await webhooks.listDue(Number.MAX_SAFE_INTEGER, 1)
    const pending = delivery === undefined ? null : await webhooks.find(delivery)
    const next = [...dues, pending?.dueAt ?? null].filter((due) => due !== null)
    return Math.min(IDLE_TICK_MS, ...next.map((due) => due - this.world.now))
  }

  async #isQuiet(): Promise<boolean> {
    const { calls } = this.stores
    const live = await calls.listExpiredLeases(Number.MAX_SAFE_INTEGER, 1)
    const undone = await calls.listUndone(Number.MAX_SAFE_INTEGER, 1)
    return live.length === 0 && undone.length === 0
  }

  /** Nothing is live, owed or waiting, for any of these orders. */
  async isAtRest(orderIds: ReadonlySet<string>): Promise<boolean> {
    const { calls, webhooks } = this.stores
    if (!(await this.#isQuiet())) return false
    if ((await webhooks.listDue(Number.MAX_SAFE_INTEGER, 1)).length > 0) return false
    for (const campaignId of this.campaignIds) {
      if ((await unrestOf(this.stores, campaignId)) !== null) return false
    }
    for (const orderId of orderIds) {
      const order = await calls.findOrder(orderId)
      if (order !== null && !FINAL_STATUSES.has(order.status) && order.status !== 'paused')
        return false
    }
    return true
  }

  /** A carrier repeats a callback that was not answered, a few times. */
  #deliverCarrierEvent(event: CarrierEvent, count: number): void {
    const process: Process = { name: `carrier event ${event.event.type}`, isAlive: true }
    if (this.world.random.chance(this.faults.kill)) {
      this.world.in(this.world.random.between(1, 100), () => (process.isAlive = false))
    }
    let isDone = false
    applyCarrierEvent(this.portsFor(process), event).then(
      () => (isDone = true),
      () => {},
    )
    this.world.in(5_000, () => {
      process.isAlive = false
      if (!isDone && count < 3) this.#deliverCarrierEvent(event, count + 1)
    })
  }

  #startRuntime(index: number): void {
    const runtime: Process = { name: `runtime-${index}`, isAlive: true }
    this.#runtimes[index] = runtime
    const livesMs = this.world.random.between(30_000, 900_000)
    this.world.in(livesMs, () => {
      if (this.faults.kill === 0) return
      runtime.isAlive = false
      this.world.note(`killed: ${runtime.name}`)
      this.world.in(RESTART_MS, () => this.#startRuntime(index))
    })
  }

  #offerMedia(offer: MediaOffer): void {
    const runtime = this.world.random.pick(this.#runtimes)
    if (!runtime.isAlive) return this.carrier.end(offer.dial, null, 'carrier')
    const session: Process = {
      name: `session ${offer.dial.carrierCallId}`,
      get isAlive() {
        return runtime.isAlive
      },
      set isAlive(_) {},
    }
    this.#watchSession(offer, session)
    this.#converse(offer, session).catch(() => {
      // The socket of a session that failed breaks, and the carrier ends the call.
      this.carrier.end(offer.dial, null, 'carrier')
    })
  }

  /** A carrier notices within a second that the media socket broke. */
  #watchSession(offer: MediaOffer, session: Process): void {
    this.world.in(1_000, () => {
      if (offer.dial.endedAt !== null) return
      if (session.isAlive) this.#watchSession(offer, session)
      else this.carrier.end(offer.dial, null, 'carrier')
    })
  }

  async #converse(offer: MediaOffer, session: Process): Promise<void> {
    const ports = this.portsFor(session)
    const { orderId, number } = offer.dial.request
    const adoption = await adoptAttempt(ports, { orderId, number })
    if (adoption.kind === 'refused') return this.carrier.end(offer.dial, null, 'caller')
    const { fence } = adoption
    const endsAt = this.world.now + offer.talkMs
    while (this.world.now < endsAt && offer.dial.endedAt === null) {
      await this.world.pass(session, Math.min(HEARTBEAT_MS, endsAt - this.world.now))
      const leaseUntil = this.world.now + SESSION_LEASE_MS
      const isOwner = await ports.calls.extendLease(orderId, number, fence, leaseUntil)
      if (!isOwner) return this.carrier.end(offer.dial, null, 'caller')
    }
    this.carrier.end(offer.dial, null, 'caller')
    const { random } = this.world
    const result = random.pick(['human', 'human', 'voicemail', 'unknown'] as const)
    const transcript =
      result === 'human' ? [{ role: 'user' as const, content: 'Yes, that sounds good to me.' }] : []
    const end = {
      orderId,
      number,
      fence,
      at: this.world.now,
      result,
      endedBy: 'user' as const,
      endReason: null,
      transcript,
      speechEvents: [],
      recordingKey: null,
    }
    for (let tries = 0; tries < 3; tries += 1) {
      try {
        await finishSession(ports, end)
        return
      } catch {
        await this.world.pass(session, 500)
      }
    }
  }

  #languageModel(): LanguageModel {
    const fails = () => this.world.random.chance(this.faults.failModel)
    return {
      async *stream() {
        if (fails()) throw new AdapterError('The model is down', { retryable: true })
        const text = JSON.stringify({ outcome: 'interested', outcome_summary: 'They agreed.' })
        yield { type: 'text', text, model: 'simulated' }
        yield { type: 'done', finishReason: 'stop' }
      },
    }
  }

  async #receiveWebhook(headers: Readonly<Record<string, string>>) {
    if (this.world.random.chance(this.faults.failWebhook)) return { statusCode: 500, headers: {} }
    this.arrivals.push({ id: headers['webhook-id'] ?? '', at: this.world.now })
    return { statusCode: 200, headers: {} }
  }
}
