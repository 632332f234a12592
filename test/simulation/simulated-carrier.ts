import type { AttemptResult } from '#shared/domain/call-attempt/attempt.ts'
import type { CarrierEvent } from '#shared/domain/call-attempt/carrier-event.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { DialRequest, DialResult, Telephony } from '#shared/ports/telephony.ts'

import type { Faults } from './faults.ts'
import type { World } from './world.ts'

/** A dial as the carrier received it. */
export interface Dial {
  readonly carrierCallId: string
  readonly request: DialRequest
  /** When the service decided to send it. */
  readonly askedAt: number
  answeredAt: number | null
  endedAt: number | null
}

/** A call that was answered, offered to whatever media server is up. */
export interface MediaOffer {
  readonly dial: Dial
  /** How long the two would talk. */
  readonly talkMs: number
  readonly result: AttemptResult
}

/** How people answer the phone. */
export interface Callees {
  /** The share of dials that is answered. */
  readonly answered: number
  /** By whom, one as likely as the other. */
  readonly results: readonly AttemptResult[]
  /** Why the others are not, in half of the cases; in the other half it rings out. */
  readonly refusals: readonly number[]
  /** From the first ring to the answer or the refusal. */
  readonly decideMs: readonly [number, number]
  readonly talkMs: readonly [number, number]
}

export const ANYBODY: Callees = {
  answered: 0.45,
  results: ['human', 'human', 'voicemail', 'unknown'],
  refusals: [486, 480, 404, 503],
  decideMs: [1_000, 25_000],
  talkMs: [2_000, 120_000],
}

const RING_AFTER_MS: readonly [number, number] = [500, 3_000]

/** The carrier of the simulated world: remembers every dial, and reports unreliably. */
export class SimulatedCarrier implements Telephony {
  readonly dials: Dial[] = []
  readonly live = new Set<Dial>()
  readonly #byAttempt = new Map<string, Dial>()
  readonly #byId = new Map<string, Dial>()
  readonly #world: World
  readonly #faults: () => Faults
  readonly #callees: Callees
  onEvent: (event: CarrierEvent) => void = () => {}
  onMedia: (offer: MediaOffer) => void = () => {}

  constructor(world: World, faults: () => Faults, callees: Callees) {
    this.#world = world
    this.#faults = faults
    this.#callees = callees
  }

  async dial(request: DialRequest, askedAt = this.#world.now): Promise<DialResult> {
    if (this.#world.faults(this.#faults().lateDial)) {
      this.#world.in(this.#world.random.between(500, 8_000), () => this.#place(request, askedAt))
      throw new AdapterError('No answer came in time', { retryable: false })
    }
    return { kind: 'placed', carrierCallId: this.#place(request, askedAt).carrierCallId }
  }

  answer(): Promise<never> {
    return Promise.reject(new Error('nobody calls us in this world'))
  }

  async hangUp(carrierCallId: string): Promise<void> {
    const dial = this.#byId.get(carrierCallId)
    if (dial !== undefined) this.end(dial, null, 'caller')
  }

  async find(attemptId: string): Promise<{ carrierCallId: string; isLive: boolean } | null> {
    const dial = this.dialOf(attemptId)
    return dial === undefined
      ? null
      : { carrierCallId: dial.carrierCallId, isLive: dial.endedAt === null }
  }

  /** The last one of an attempt; there must never be two. */
  dialOf(attemptId: string): Dial | undefined {
    return this.#byAttempt.get(attemptId)
  }

  end(dial: Dial, sipCode: number | null, endedBy: 'callee' | 'caller' | 'carrier'): void {
    if (dial.endedAt !== null) return
    dial.endedAt = this.#world.now
    this.live.delete(dial)
    const cause = { sipCode, reason: null, q850: null, endedBy }
    this.#report(dial, { type: 'ended', cause })
  }

  #place(request: DialRequest, askedAt: number): Dial {
    const carrierCallId = `sim-${this.dials.length + 1}`
    const dial = { carrierCallId, request, askedAt, answeredAt: null, endedAt: null }
    this.dials.push(dial)
    this.live.add(dial)
    this.#byAttempt.set(request.attemptId, dial)
    this.#byId.set(carrierCallId, dial)
    this.#world.note(`dial ${request.orderId} ${request.number} ${request.to}`)
    this.#play(dial)
    return dial
  }

  #play(dial: Dial): void {
    const { random } = this.#world
    const { answered, results, refusals, decideMs, talkMs } = this.#callees
    const ringMs = random.between(...RING_AFTER_MS)
    this.#world.in(ringMs, () => {
      if (dial.endedAt === null) this.#report(dial, { type: 'ringing' })
    })
    const afterMs = ringMs + random.between(...decideMs)
    if (random.chance(answered)) {
      this.#world.in(afterMs, () => {
        if (dial.endedAt !== null) return
        dial.answeredAt = this.#world.now
        this.#report(dial, { type: 'answered' })
        this.onMedia({ dial, talkMs: random.between(...talkMs), result: random.pick(results) })
      })
      return
    }
    const isRungOut = random.chance(0.5)
    const sipCode = isRungOut ? 408 : random.pick(refusals)
    const endMs = isRungOut ? dial.request.ringTimeoutSecs * 1_000 : afterMs
    this.#world.in(endMs, () => this.end(dial, sipCode, 'carrier'))
  }

  #report(dial: Dial, event: CarrierEvent['event']): void {
    const { random, now: at } = this.#world
    const faults = this.#faults()
    const copies =
      (this.#world.faults(faults.loseCarrierEvent) ? 0 : 1) +
      (this.#world.faults(faults.duplicateCarrierEvent) ? 1 : 0)
    const { orderId, number, attemptId } = dial.request
    const { carrierCallId } = dial
    for (let copy = 0; copy < copies; copy += 1) {
      this.#world.in(random.between(20, 3_000), () =>
        this.onEvent({ orderId, number, attemptId, carrierCallId, at, event }),
      )
    }
  }
}
