import { createHmac, randomUUID } from 'node:crypto'

import type { Timers } from '#shared/ports/clock.ts'

/** What the carrier tells the service about one call; goes over the wire as it is. */
export interface CallStatusReport {
  readonly call_id: string
  readonly attempt_id: string
  readonly order_id: string
  readonly attempt_number: number
  readonly status: 'ringing' | 'answered' | 'ended'
  /** ISO 8601. */
  readonly at: string
  readonly sip_code: number | null
  readonly ended_by: 'callee' | 'caller' | 'carrier' | null
}

/** Faults that every real carrier shows now and then, made certain for tests. */
export interface CallbackFaults {
  /** Each callback is delivered twice. */
  readonly duplicate?: boolean
  /** Neighbouring callbacks change places. */
  readonly reorder?: boolean
}

export interface StatusCallbacksOptions {
  readonly url: string
  readonly secret: string
  readonly timers: Timers
  readonly faults: CallbackFaults
  /** Aborted when the carrier closes. */
  readonly signal: AbortSignal
}

const WAITS_MS = [0, 500, 1_000, 2_000, 4_000]
const ANSWER_WITHIN_MS = 10_000

/** Delivers the statuses of one call, one after another, each tried a few times. */
export class StatusCallbacks {
  readonly #options: StatusCallbacksOptions
  #sequence = 0
  #held: readonly string[] = []
  #delivered: Promise<void> = Promise.resolve()

  constructor(options: StatusCallbacksOptions) {
    this.#options = options
  }

  report(report: CallStatusReport): void {
    const { faults } = this.#options
    this.#sequence += 1
    const body = JSON.stringify({ event_id: randomUUID(), sequence: this.#sequence, ...report })
    const bodies = faults.duplicate === true ? [body, body] : [body]
    if (faults.reorder === true && this.#held.length === 0 && report.status !== 'ended') {
      this.#held = bodies
      return
    }
    for (const next of [...bodies, ...this.#held]) {
      this.#delivered = this.#deliver(next, this.#delivered)
    }
    this.#held = []
  }

  async #deliver(body: string, earlier: Promise<void>): Promise<void> {
    await earlier
    for (const waitMs of WAITS_MS) {
      await this.#wait(waitMs)
      if (this.#options.signal.aborted || (await this.#post(body))) return
    }
  }

  async #post(body: string): Promise<boolean> {
    const { url, secret, signal } = this.#options
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-carrier-signature': `sha256=${signature}`,
        },
        body,
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
      })
      await answer.body?.cancel()
      return answer.ok
    } catch {
      return false
    }
  }

  #wait(ms: number): Promise<void> {
    const { timers, signal } = this.#options
    if (ms === 0 || signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const stop = () => {
        cancel()
        signal.removeEventListener('abort', stop)
        resolve()
      }
      const cancel = timers.after(ms, stop)
      signal.addEventListener('abort', stop)
    })
  }
}
