import { memoryStores } from '#shared/data/memory.ts'
import type { CarrierEvent } from '#shared/domain/call-attempt/carrier-event.ts'
import { SWEEP_INTERVAL_MS } from '#shared/domain/lease.ts'
import { organizationOfScope } from '#shared/domain/scope.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { Ids } from '#shared/ports/ids.ts'
import type { LanguageModel } from '#shared/ports/language-model.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'
import type { WebClient } from '#shared/ports/web-client.ts'
import { announceCall } from '#shared/use-cases/announce-call.ts'
import { applyCarrierEvent } from '#shared/use-cases/apply-carrier-event.ts'
import { concludeAttempt } from '#shared/use-cases/conclude-attempt.ts'
import { deliverWebhook } from '#shared/use-cases/deliver-webhook.ts'
import { dispatchScope } from '#shared/use-cases/dispatch-scope.ts'
import { startAttempt } from '#shared/use-cases/start-attempt.ts'
import { sweep } from '#shared/use-cases/sweep.ts'
import { workOnCampaign } from '#shared/use-cases/work-on-campaign.ts'
import { hash } from '#test/support/campaign-stage.ts'
import { memoryContactUploads } from '#test/support/memory-contact-uploads.ts'

import type { Faults } from './faults.ts'
import { Ledger } from './ledger.ts'
import { MessageQueues } from './message-queues.ts'
import { Process } from './process.ts'
import { isDone, unrestOf } from './rest.ts'
import { ANYBODY, SimulatedCarrier, type Callees } from './simulated-carrier.ts'
import { SimulatedRuntimes } from './simulated-runtimes.ts'
import { unreliable } from './unreliable.ts'
import type { Happening, World } from './world.ts'

const IDLE_TICK_MS = 3_600_000
/** A function that is to die does so after at most so many things that it did. */
const DEEDS_MAX = 14
/** A receiver of webhooks has this long; a slow one takes longer. */
const WEBHOOK_TIMEOUT_MS = 15_000
/** A callback of the carrier that is not answered in time is sent again, a few times. */
const CALLBACK_TIMEOUT_MS = 5_000
const CALLBACKS_MAX = 3
const MODEL_MS: readonly [number, number] = [200, 4_000]

/** The production use cases, run as processes of a simulated world. */
export class SimulatedService {
  readonly world: World
  readonly stores = memoryStores()
  readonly ledger: Ledger
  readonly carrier: SimulatedCarrier
  readonly queues: MessageQueues
  readonly limits: ServicePorts['limits']
  faults: Faults
  readonly #contactUploads = memoryContactUploads()
  readonly #runtimes: SimulatedRuntimes
  /** Whether every call to a port is a moment of its own, in which others go on and things go wrong. */
  readonly #isUnreliable: boolean
  #reliablePorts: ServicePorts | null = null
  #counter = 0
  #nextTick: Happening | null = null

  constructor(
    world: World,
    options: {
      readonly faults: Faults
      readonly trunk: ServicePorts['limits']['trunk']
      readonly callees?: Callees
      readonly isUnreliable?: boolean
    },
  ) {
    this.world = world
    this.faults = options.faults
    this.limits = { trunk: options.trunk, ringTimeoutSecs: 30 }
    this.#isUnreliable = options.isUnreliable ?? true
    this.ledger = new Ledger(world, this.stores)
    const faults = () => this.faults
    this.queues = new MessageQueues(world, faults, (name) => this.startFunction(name))
    this.carrier = new SimulatedCarrier(world, faults, options.callees ?? ANYBODY)
    this.carrier.onEvent = (event) => this.#deliverCarrierEvent(event, 1)
    const portsFor = (process: Process) => this.portsFor(process)
    this.#runtimes = new SimulatedRuntimes(world, { faults, carrier: this.carrier, portsFor })
    this.#consumeQueues()
    this.ledger.onTouch = () => this.#tickSoon()
    this.#tickSoon()
  }

  /** A process that lives as long as its one task, if it lives so long. */
  startFunction(name: string): Process {
    const { random } = this.world
    const { kill, skewMs } = this.faults
    return new Process(name, {
      skewMs: random.between(-skewMs, skewMs),
      diesAfter: this.world.faults(kill) ? random.between(1, DEEDS_MAX) : null,
    })
  }

  /** Everything as one process sees it. */
  portsFor(process: Process): ServicePorts {
    if (this.#isUnreliable) return this.#portsOf(process)
    this.#reliablePorts ??= this.#portsOf(new Process('the service'))
    return this.#reliablePorts
  }

  #portsOf(process: Process): ServicePorts {
    const { world, stores, carrier } = this
    const seenWith = <T extends object>(port: T, faults: () => Faults) =>
      this.#isUnreliable ? unreliable(port, { world, process, faults }) : port
    const seen = <T extends object>(port: T) => seenWith(port, () => this.faults)
    // Who stands still between the last look at the clock and the dial cannot be helped.
    const line = seenWith(carrier, () => ({ ...this.faults, stall: 0 }))
    const unused = () => Promise.reject(new Error('not part of this world'))
    return {
      ...(Object.fromEntries(
        Object.entries(stores).map(([name, store]) => [name, seen(store)]),
      ) as unknown as typeof stores),
      queues: seen(this.queues),
      scheduler: seen(this.queues),
      telephony: {
        dial: (request) => line.dial(request, world.now),
        answer: unused,
        hangUp: (carrierCallId) => line.hangUp(carrierCallId),
        find: (attemptId) => line.find(attemptId),
      },
      carrierEvents: {
        read: () => ({ kind: 'refused', reason: 'unknown_provider' }),
        readInbound: () => ({ kind: 'refused', reason: 'unknown_provider' }),
      },
      languageModel: this.#languageModel(process),
      contactUploads: seen(this.#contactUploads),
      recordings: { put: unused, url: unused },
      webClient: { post: (request) => this.#receiveWebhook(process, request) },
      webhookSigner: { sign: ({ id }) => ({ 'webhook-id': id }) },
      clock: { now: () => world.now + process.skewMs },
      ids: this.ids,
      logger: { info: () => {}, warn: () => {}, error: () => {} },
      limits: this.limits,
    }
  }

  readonly ids: Ids = {
    next: (prefix) => `${prefix}_${String((this.#counter += 1)).padStart(8, '0')}`,
    random: () => this.world.random.next(),
  }

  #consumeQueues(): void {
    const { queues } = this
    queues.consume('dispatch', async (process, message) => {
      const ports = this.portsFor(process)
      if ('scope' in message) await dispatchScope(ports, message.scope)
      else await sweep(ports)
    })
    queues.consume('import', async (process, { campaignId }) =>
      workOnCampaign(this.portsFor(process), { campaignId, hash }),
    )
    queues.consume('call-start', async (_, message) => {
      const parent = this.#runtimes.any()
      if (!parent.isAlive) throw new Error('No runtime is up')
      const ports = this.portsFor(new Process(parent.name, { parent }))
      const mediaUrl = `media/${message.orderId}/${message.number}`
      await startAttempt(ports, { ...message, owner: parent.name, mediaUrl })
    })
    queues.consume('post-call', async (process, message, receives) =>
      concludeAttempt(this.portsFor(process), { ...message, isLastChance: receives >= 3 }),
    )
    queues.consume('notify', async (process, message) =>
      announceCall(this.portsFor(process), message, ({ id, call }) =>
        JSON.stringify({ id, ...this.ledger.announcedStateOf(call.order) }),
      ),
    )
    queues.consume('webhook', async (process, { deliveryId }) =>
      deliverWebhook(this.portsFor(process), deliveryId),
    )
  }

  /** Ticks that would find nothing to do are left out: time passes faster without them. */
  async #tick(): Promise<void> {
    await this.queues.send('dispatch', { sweep: true })
    const idleMs = await this.#idleMs()
    this.#tickIn(Math.max(SWEEP_INTERVAL_MS, idleMs))
  }

  #tickIn(delayMs: number): void {
    if (this.#nextTick !== null) this.#nextTick.isOff = true
    this.#nextTick = this.world.in(delayMs, () => void this.#tick())
  }

  #tickSoon(): void {
    const at = this.#nextTick?.at ?? Infinity
    if (at > this.world.now + SWEEP_INTERVAL_MS) this.#tickIn(SWEEP_INTERVAL_MS)
  }

  async #idleMs(): Promise<number> {
    const { calls, webhooks } = this.stores
    if (!(await this.#isQuiet())) return 0
    const scopes = await calls.listScopes()
    for (const scope of scopes) {
      const blocking = await calls.listBlockingPermits(organizationOfScope(scope) ?? '')
      if (blocking.length > 0) return 0
    }
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
    return live.length === 0 && undone.length === 0 && this.carrier.live.size === 0
  }

  /** Nothing is live, owed or waiting any more, for anything that comes before `until`. */
  async isAtRest(until: number): Promise<boolean> {
    const { calls, webhooks } = this.stores
    if (!(await this.#isQuiet())) return false
    if ((await webhooks.listDue(Number.MAX_SAFE_INTEGER, 1)).length > 0) return false
    for (const orderId of this.ledger.orders) {
      const order = await calls.findOrder(orderId)
      if (order !== null && !isDone(order, until)) return false
    }
    for (const campaignId of this.ledger.campaigns) {
      const rows = this.ledger.rows.get(campaignId) ?? []
      if ((await unrestOf(this.stores, campaignId, rows)) !== null) return false
    }
    return true
  }

  #deliverCarrierEvent(event: CarrierEvent, count: number): void {
    const process = this.startFunction(`carrier event ${event.event.type}`)
    const again = this.world.in(CALLBACK_TIMEOUT_MS, () => {
      process.kill()
      if (count < CALLBACKS_MAX) this.#deliverCarrierEvent(event, count + 1)
    })
    applyCarrierEvent(this.portsFor(process), event).then(
      () => {
        again.isOff = true
      },
      () => {},
    )
  }

  #languageModel(process: Process): LanguageModel {
    const { world, ledger } = this
    const fails = () => world.faults(this.faults.failModel)
    return {
      async *stream(request) {
        ledger.sawModelRequest(JSON.stringify(request.messages))
        await process.pass(world, world.random.between(...MODEL_MS))
        if (fails()) throw new AdapterError('The model is down', { retryable: true })
        const text = JSON.stringify({ outcome: 'interested', outcome_summary: 'They agreed.' })
        yield { type: 'text', text, model: 'simulated' }
        yield { type: 'done', finishReason: 'stop' }
      },
    }
  }

  async #receiveWebhook(process: Process, request: Parameters<WebClient['post']>[0]) {
    const { world } = this
    const { url, headers, body } = request
    const isSlow = world.faults(this.faults.slowWebhook)
    if (isSlow && world.random.chance(0.5)) {
      await process.pass(world, WEBHOOK_TIMEOUT_MS)
      throw new AdapterError('The receiver is too slow', { retryable: true })
    }
    await process.pass(world, isSlow ? WEBHOOK_TIMEOUT_MS - 1_000 : world.random.between(5, 300))
    if (world.faults(this.faults.failWebhook)) return { statusCode: 500, headers: {} }
    this.ledger.webhookArrived({ id: headers['webhook-id'] ?? '', url, body })
    return { statusCode: 200, headers: {} }
  }
}
