import type { Clock, Timers } from '#shared/ports/clock.ts'

import type { CalleeSound } from './callee-sound.ts'
import type { SimulatedDial } from './dial-request.ts'
import { Handset } from './handset.ts'
import { MediaLeg, type EndedBy } from './media-leg.ts'
import { StatusCallbacks, type CallbackFaults } from './status-callbacks.ts'
import type { DialPlan } from './test-numbers.ts'

const RINGS_AFTER_MS = 100
const FAILS_AFTER_MS = 300
const SIP_OK = 200
const SIP_TIMEOUT = 408
const SIP_CANCELLED = 487

export interface SimulatedCallOptions {
  readonly id: string
  readonly dial: SimulatedDial
  readonly plan: DialPlan
  readonly ringTimeoutSecs: number
  readonly eventSecret: string
  readonly sound: CalleeSound
  readonly clock: Clock
  readonly timers: Timers
  readonly every20ms: (run: () => void) => () => void
  readonly faults: CallbackFaults
  /** Aborted when the carrier closes. */
  readonly signal: AbortSignal
}

/** A call as `GET /calls` shows it. Times are ISO 8601. */
export interface CallRecord {
  readonly call_id: string
  readonly attempt_id: string
  readonly order_id: string
  readonly attempt_number: number
  readonly to: string
  readonly from: string
  readonly at: string
  readonly status: CallStatus
  readonly sip_code: number | null
  readonly ended_by: EndedBy | null
  readonly answered_at: string | null
  readonly ended_at: string | null
  /** What the callee made out of the agent's speech. */
  readonly heard: readonly string[]
  /** The keys that the agent pressed. */
  readonly keys: string
  /** The sentences that the callee began to say. */
  readonly said: readonly string[]
}

type CallStatus = 'dialing' | 'ringing' | 'answered' | 'ended'

/** One dial, from the moment it was accepted to its end. */
export class SimulatedCall {
  readonly id: string
  readonly dial: SimulatedDial
  readonly #options: SimulatedCallOptions
  readonly #callbacks: StatusCallbacks
  readonly #startedAt: number
  #pending: (() => void)[] = []
  #status: CallStatus = 'dialing'
  #answeredAt: number | null = null
  #endedAt: number | null = null
  #cause: { readonly sipCode: number; readonly endedBy: EndedBy } | null = null
  #handset: Handset | null = null
  #media: MediaLeg | null = null

  constructor(options: SimulatedCallOptions) {
    this.id = options.id
    this.dial = options.dial
    this.#options = options
    this.#startedAt = options.clock.now()
    this.#callbacks = new StatusCallbacks({
      url: options.dial.status_url,
      secret: options.eventSecret,
      timers: options.timers,
      faults: options.faults,
      signal: options.signal,
    })
    this.#follow(options.plan)
  }

  get isLive(): boolean {
    return this.#status !== 'ended'
  }

  /** The caller's wish; nothing happens when the call has ended. */
  hangUp(): void {
    this.#end(this.#status === 'answered' ? SIP_OK : SIP_CANCELLED, 'caller')
  }

  record(): CallRecord {
    const { dial } = this
    return {
      call_id: this.id,
      attempt_id: dial.attempt_id,
      order_id: dial.order_id,
      attempt_number: dial.attempt_number,
      to: dial.to,
      from: dial.from,
      at: iso(this.#startedAt),
      status: this.#status,
      sip_code: this.#cause?.sipCode ?? null,
      ended_by: this.#cause?.endedBy ?? null,
      answered_at: this.#answeredAt === null ? null : iso(this.#answeredAt),
      ended_at: this.#endedAt === null ? null : iso(this.#endedAt),
      heard: this.#handset?.heard ?? [],
      keys: this.#handset?.keys ?? '',
      said: this.#handset?.said ?? [],
    }
  }

  #follow(plan: DialPlan): void {
    if (plan.kind === 'fails') {
      this.#later(FAILS_AFTER_MS, () => this.#end(plan.sipCode, plan.endedBy))
      return
    }
    this.#later(RINGS_AFTER_MS, () => {
      this.#status = 'ringing'
      this.#report('ringing')
    })
    this.#later(this.#options.ringTimeoutSecs * 1_000, () => this.#end(SIP_TIMEOUT, 'carrier'))
    if (plan.kind === 'answers') this.#later(plan.afterMs, () => this.#answer(plan.callee))
  }

  #answer(callee: Extract<DialPlan, { kind: 'answers' }>['callee']): void {
    const { sound, every20ms, clock } = this.#options
    const { dial } = this
    this.#cancelPending()
    this.#status = 'answered'
    this.#answeredAt = clock.now()
    this.#report('answered')
    this.#handset = new Handset({ callee, sound })
    this.#media = new MediaLeg({
      url: dial.media_url,
      callId: this.id,
      parameters: {
        attempt_id: dial.attempt_id,
        order_id: dial.order_id,
        attempt_number: String(dial.attempt_number),
      },
      handset: this.#handset,
      every20ms,
      onEnded: (endedBy) => this.#end(SIP_OK, endedBy),
    })
  }

  #end(sipCode: number, endedBy: EndedBy): void {
    if (!this.isLive) return
    this.#cancelPending()
    this.#media?.close()
    this.#status = 'ended'
    this.#endedAt = this.#options.clock.now()
    this.#cause = { sipCode, endedBy }
    this.#report('ended')
  }

  #report(status: 'ringing' | 'answered' | 'ended'): void {
    const { dial } = this
    this.#callbacks.report({
      call_id: this.id,
      attempt_id: dial.attempt_id,
      order_id: dial.order_id,
      attempt_number: dial.attempt_number,
      status,
      at: iso(this.#options.clock.now()),
      sip_code: this.#cause?.sipCode ?? null,
      ended_by: this.#cause?.endedBy ?? null,
    })
  }

  #later(delayMs: number, run: () => void): void {
    this.#pending.push(this.#options.timers.after(delayMs, run))
  }

  #cancelPending(): void {
    for (const cancel of this.#pending) cancel()
    this.#pending = []
  }
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
