import type { CarrierEvent } from '#shared/domain/call-attempt/carrier-event.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { DialRequest, DialResult, Telephony } from '#shared/ports/telephony.ts'

import type { Faults } from './faults.ts'
import type { World } from './world.ts'

/** A dial as the carrier received it. */
export interface Dial {
  readonly carrierCallId: string
  readonly request: DialRequest
  readonly at: number
  answeredAt: number | null
  endedAt: number | null
}

/** A call that was answered, offered to whatever media server is up. */
export interface MediaOffer {
  readonly dial: Dial
  /** How long the two would talk. */
  readonly talkMs: number
}

const ANSWERED = 0.45
const REFUSED_CODES = [486, 480, 404, 503] as const

/** The carrier of the simulated world: remembers every dial, and reports unreliably. */
export class SimulatedCarrier implements Telephony {
  readonly dials: Dial[] = []
  readonly #world: World
  readonly #faults: () => Faults
  onEvent: (event: CarrierEvent) => void = () => {}
  onMedia: (offer: MediaOffer) => void = () => {}

  constructor(world: World, faults: () => Faults) {
    this.#world = world
    this.#faults = faults
  }

  async dial(request: DialRequest): Promise<DialResult> {
    const { random } = this.#world
    if (random.chance(this.#faults().failBefore * 5)) {
      throw new AdapterError('Nobody listens', { retryable: true })
    }
    const dial: Dial = {
      carrierCallId: `sim-${this.dials.length + 1}`,
      request,
      at: this.#world.now,
      answeredAt: null,
      endedAt: null,
    }
    this.dials.push(dial)
    this.#world.note(`dial ${request.attemptId} ${request.number}`)
    this.#play(dial)
    if (random.chance(this.#faults().failAfter * 5)) {
      throw new AdapterError('No answer came', { retryable: false })
    }
    return { kind: 'placed', carrierCallId: dial.carrierCallId }
  }

  async hangUp(carrierCallId: string): Promise<void> {
    const dial = this.dials.find((candidate) => candidate.carrierCallId === carrierCallId)
    if (dial !== undefined) this.end(dial, null, 'caller')
  }

  async find(attemptId: string): Promise<{ carrierCallId: string; isLive: boolean } | null> {
    const dial = this.dials.find(({ request }) => request.attemptId === attemptId)
    return dial === undefined
      ? null
      : { carrierCallId: dial.carrierCallId, isLive: dial.endedAt === null }
  }

  end(dial: Dial, sipCode: number | null, endedBy: 'callee' | 'caller' | 'carrier'): void {
    if (dial.endedAt !== null) return
    dial.endedAt = this.#world.now
    this.#report(dial, {
      type: 'ended',
      cause: { sipCode, reason: null, q850: null, endedBy },
    })
  }

  #play(dial: Dial): void {
    const { random } = this.#world
    const ringMs = random.between(500, 3_000)
    this.#world.in(ringMs, () => {
      if (dial.endedAt === null) this.#report(dial, { type: 'ringing' })
    })
    const decideMs = ringMs + random.between(1_000, 25_000)
    if (random.chance(ANSWERED)) {
      this.#world.in(decideMs, () => {
        if (dial.endedAt !== null) return
        dial.answeredAt = this.#world.now
        this.#report(dial, { type: 'answered' })
        this.onMedia({ dial, talkMs: random.between(2_000, 120_000) })
      })
      return
    }
    const sipCode = random.chance(0.5) ? 408 : random.pick(REFUSED_CODES)
    const afterMs = sipCode === 408 ? dial.request.ringTimeoutSecs * 1_000 : decideMs
    this.#world.in(afterMs, () => this.end(dial, sipCode, 'carrier'))
  }

  #report(dial: Dial, event: CarrierEvent['event']): void {
    const { random } = this.#world
    const at = this.#world.now
    const copies =
      (random.chance(this.#faults().loseCarrierEvent) ? 0 : 1) +
      (random.chance(this.#faults().duplicateCarrierEvent) ? 1 : 0)
    for (let copy = 0; copy < copies; copy += 1) {
      this.#world.in(random.between(20, 3_000), () =>
        this.onEvent({
          orderId: dial.request.orderId,
          number: dial.request.number,
          attemptId: dial.request.attemptId,
          carrierCallId: dial.carrierCallId,
          at,
          event,
        }),
      )
    }
  }
}
