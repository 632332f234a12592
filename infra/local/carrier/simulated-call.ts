import type { SimulatedDial } from './dial-request.ts'
import { LineCall, type CallRecord, type LineOptions } from './line-call.ts'
import type { DialPlan } from './test-numbers.ts'

const RINGS_AFTER_MS = 100
const FAILS_AFTER_MS = 300
const SIP_OK = 200
const SIP_TIMEOUT = 408
const SIP_CANCELLED = 487

export interface SimulatedCallOptions extends LineOptions {
  readonly id: string
  readonly dial: SimulatedDial
  readonly plan: DialPlan
  readonly ringTimeoutSecs: number
  /** The call is over. */
  readonly onEnded: () => void
}

/** One dial, from the moment it was accepted to its end. */
export class SimulatedCall {
  readonly id: string
  readonly dial: SimulatedDial
  readonly #options: SimulatedCallOptions
  readonly #line: LineCall
  #pending: (() => void)[] = []

  constructor(options: SimulatedCallOptions) {
    const { id, dial } = options
    this.id = id
    this.dial = dial
    this.#options = options
    const { from, to } = dial
    this.#line = new LineCall(options, { call_id: id, direction: 'outbound', from, to })
    this.#line.belongTo(dial)
    this.#line.onEnded = () => {
      this.#cancelPending()
      options.onEnded()
    }
    this.#follow(options.plan)
  }

  get isLive(): boolean {
    return this.#line.isLive
  }

  /** The caller's wish; nothing happens when the call has ended. */
  hangUp(): void {
    this.#line.end(this.#line.status === 'answered' ? SIP_OK : SIP_CANCELLED, 'caller')
  }

  record(): CallRecord {
    return this.#line.record()
  }

  #follow(plan: DialPlan): void {
    if (plan.kind === 'fails') {
      this.#later(FAILS_AFTER_MS, () => this.#line.end(plan.sipCode, plan.endedBy))
      return
    }
    this.#later(RINGS_AFTER_MS, () => this.#line.ring())
    const { ringTimeoutSecs } = this.#options
    this.#later(ringTimeoutSecs * 1_000, () => this.#line.end(SIP_TIMEOUT, 'carrier'))
    if (plan.kind !== 'answers') return
    this.#later(plan.afterMs, () => {
      this.#cancelPending()
      this.#line.connect(plan.callee, this.dial.media_url)
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
