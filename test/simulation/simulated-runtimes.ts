import { HEARTBEAT_MS, SESSION_LEASE_MS } from '#shared/domain/lease.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'
import { adoptAttempt } from '#shared/use-cases/adopt-attempt.ts'
import { finishSession } from '#shared/use-cases/finish-session.ts'

import type { Faults } from './faults.ts'
import { Process } from './process.ts'
import type { MediaOffer, SimulatedCarrier } from './simulated-carrier.ts'
import type { World } from './world.ts'

const RUNTIMES = 2
const RESTART_MS = 5_000
const LIFE_MS: readonly [number, number] = [30_000, 900_000]
/** A media socket that broke is noticed so soon, unless it is only half broken. */
const BROKEN_MS = 1_000
/** Then the person hangs up who hears nothing. */
const SILENCE_MS = 300_000
const REPORTS_MAX = 3

/** The voice runtimes: processes that live long, hold calls, and are killed with all of them. */
export class SimulatedRuntimes {
  readonly #world: World
  readonly #faults: () => Faults
  readonly #carrier: SimulatedCarrier
  readonly #portsFor: (process: Process) => ServicePorts
  readonly #runtimes: Process[] = []

  constructor(
    world: World,
    service: {
      readonly faults: () => Faults
      readonly carrier: SimulatedCarrier
      readonly portsFor: (process: Process) => ServicePorts
    },
  ) {
    this.#world = world
    this.#faults = service.faults
    this.#carrier = service.carrier
    this.#portsFor = service.portsFor
    for (let index = 0; index < RUNTIMES; index += 1) this.#start(index)
    this.#carrier.onMedia = (offer) => this.#offer(offer)
  }

  /** One of them, which may be down. */
  any(): Process {
    return this.#world.random.pick(this.#runtimes)
  }

  #start(index: number): void {
    const { random } = this.#world
    const { skewMs } = this.#faults()
    const runtime = new Process(`runtime-${index}`, { skewMs: random.between(-skewMs, skewMs) })
    this.#runtimes[index] = runtime
    this.#world.in(random.between(...LIFE_MS), () => {
      if (!this.#world.faults(this.#faults().killRuntime)) return
      runtime.kill()
      this.#world.note(`killed: ${runtime.name}`)
      this.#world.in(RESTART_MS, () => this.#start(index))
    })
  }

  #offer(offer: MediaOffer): void {
    const parent = this.any()
    if (!parent.isAlive) return this.#carrier.end(offer.dial, null, 'carrier')
    const session = new Process(`session ${offer.dial.carrierCallId}`, { parent })
    session.whenDead(() => this.#breakSocket(offer, session))
    this.#converse(offer, session).catch(() => {
      // The socket of a session that failed breaks, and the carrier ends the call.
      this.#carrier.end(offer.dial, null, 'carrier')
    })
  }

  #breakSocket({ dial }: MediaOffer, session: Process): void {
    if (dial.endedAt !== null) return
    const isHalfOpen = this.#world.faults(this.#faults().halfOpen)
    if (isHalfOpen) this.#world.note(`half open: ${session.name}`)
    const endedBy = isHalfOpen ? 'callee' : 'carrier'
    const afterMs = isHalfOpen ? SILENCE_MS : BROKEN_MS
    this.#world.in(afterMs, () => this.#carrier.end(dial, null, endedBy))
  }

  async #converse({ dial, talkMs, result }: MediaOffer, session: Process): Promise<void> {
    const ports = this.#portsFor(session)
    const { clock } = ports
    const { orderId, number } = dial.request
    const adoption = await adoptAttempt(ports, { orderId, number })
    if (adoption.kind === 'refused') return this.#carrier.end(dial, null, 'caller')
    const { fence, order } = adoption
    const endsAt = this.#world.now + talkMs
    while (this.#world.now < endsAt && dial.endedAt === null) {
      await session.pass(this.#world, Math.min(HEARTBEAT_MS, endsAt - this.#world.now))
      const leaseUntil = clock.now() + SESSION_LEASE_MS
      const isOwner = await ports.calls.extendLease(orderId, number, fence, leaseUntil)
      if (!isOwner) return this.#carrier.end(dial, null, 'caller')
    }
    this.#carrier.end(dial, null, 'caller')
    const content = `This is ${order.organizationId}, and that sounds good to me.`
    const transcript = result === 'human' ? [{ role: 'user' as const, content }] : []
    const end = {
      orderId,
      number,
      fence,
      at: clock.now(),
      result,
      endedBy: 'user' as const,
      endReason: null,
      transcript,
      speechEvents: [],
      recordingKey: null,
    }
    for (let reports = 0; reports < REPORTS_MAX; reports += 1) {
      try {
        await finishSession(ports, end)
        return
      } catch {
        await session.pass(this.#world, 500)
      }
    }
  }
}
