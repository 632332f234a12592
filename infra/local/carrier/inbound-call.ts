import { createHmac } from 'node:crypto'

import * as z from 'zod'

import type { Callee } from './callee.ts'
import { LineCall, type CallRecord, type LineOptions } from './line-call.ts'

const SIP_OK = 200
const SIP_CANCELLED = 487
const SIP_DECLINED = 603
/** How long the caller lets it ring. */
const PATIENCE_MS = 20_000
const ANNOUNCED_WITHIN_MS = 10_000

/** The body of `POST /calls/{id}/answer`. */
export const answerRequest = z.strictObject({
  attempt_id: z.string().min(1).max(128),
  order_id: z.string().min(1).max(128),
  attempt_number: z.int().min(1),
  media_url: z.url({ protocol: /^wss?$/ }),
  status_url: z.url({ protocol: /^https?$/ }),
})

export interface InboundCallOptions extends LineOptions {
  readonly id: string
  readonly from: string
  readonly to: string
  /** Who calls. */
  readonly caller: Callee
  /** Where the service is told of it. */
  readonly inboundUrl: string
}

/** A call that somebody makes to a number of the service: it rings until the service takes it. */
export class InboundCall {
  readonly id: string
  readonly #options: InboundCallOptions
  readonly #line: LineCall

  constructor(options: InboundCallOptions) {
    const { id, from, to, timers } = options
    this.id = id
    this.#options = options
    this.#line = new LineCall(options, { call_id: id, direction: 'inbound', from, to })
    this.#line.ring()
    const giveUp = () => {
      if (this.#line.status === 'ringing') this.#line.end(SIP_CANCELLED, 'callee')
    }
    this.#line.onEnded = timers.after(PATIENCE_MS, giveUp)
  }

  get isLive(): boolean {
    return this.#line.isLive
  }

  get attemptId(): string | null {
    return this.#line.owner?.attempt_id ?? null
  }

  /** Tells the service, which lets it ring or rejects it. */
  async announce(): Promise<void> {
    const { inboundUrl, eventSecret, from, to, signal } = this.#options
    const body = JSON.stringify({ call_id: this.id, from, to, at: this.record().at })
    const signature = createHmac('sha256', eventSecret).update(body).digest('hex')
    try {
      const answer = await fetch(inboundUrl, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-carrier-signature': `sha256=${signature}`,
        },
        body,
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANNOUNCED_WITHIN_MS)]),
      })
      const { action } = (await answer.json()) as { readonly action?: unknown }
      if (action !== 'wait') this.#line.end(SIP_DECLINED, 'carrier')
    } catch {
      this.#line.end(SIP_DECLINED, 'carrier')
    }
  }

  /** False when the caller has not waited. The same attempt may ask again. */
  answer(request: z.infer<typeof answerRequest>): boolean {
    if (this.#line.status === 'ringing') {
      const { media_url: mediaUrl, ...owner } = request
      this.#line.belongTo(owner)
      this.#line.connect(this.#options.caller, mediaUrl)
    }
    return this.isLive && this.attemptId === request.attempt_id
  }

  /** The service's wish. */
  hangUp(): void {
    this.#line.end(this.#line.status === 'answered' ? SIP_OK : SIP_DECLINED, 'caller')
  }

  record(): CallRecord {
    return this.#line.record()
  }
}
