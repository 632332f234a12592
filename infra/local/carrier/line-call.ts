import type { Clock, Timers } from '#shared/ports/clock.ts'

import type { CalleeSound } from './callee-sound.ts'
import type { Callee } from './callee.ts'
import { Handset } from './handset.ts'
import { MediaLeg, type EndedBy } from './media-leg.ts'
import { StatusCallbacks, type CallbackFaults } from './status-callbacks.ts'

const SIP_OK = 200

export interface LineOptions {
  readonly eventSecret: string
  readonly sound: CalleeSound
  readonly clock: Clock
  readonly timers: Timers
  readonly every20ms: (run: () => void) => () => void
  readonly faults: CallbackFaults
  /** Aborted when the carrier closes. */
  readonly signal: AbortSignal
}

/** The attempt that a call belongs to, and where it is told what becomes of the call. */
export interface CallOwner {
  readonly attempt_id: string
  readonly order_id: string
  readonly attempt_number: number
  readonly status_url: string
}

/** A call as `GET /calls` shows it. Times are ISO 8601. */
export interface CallRecord {
  readonly call_id: string
  readonly direction: 'inbound' | 'outbound'
  /** Null while nobody has taken a call that came in. */
  readonly attempt_id: string | null
  readonly order_id: string | null
  readonly attempt_number: number | null
  readonly to: string
  readonly from: string
  readonly at: string
  readonly status: CallStatus
  readonly sip_code: number | null
  readonly ended_by: EndedBy | null
  readonly answered_at: string | null
  readonly ended_at: string | null
  /** What the person on the line made out of the agent's speech. */
  readonly heard: readonly string[]
  /** The keys that the agent pressed. */
  readonly keys: string
  /** The sentences that the person on the line began to say. */
  readonly said: readonly string[]
}

type CallStatus = 'dialing' | 'ringing' | 'answered' | 'ended'

/** The state of one call, in whatever direction, and the person on the line once it is answered. */
export class LineCall {
  readonly #options: LineOptions
  readonly #who: Pick<CallRecord, 'call_id' | 'direction' | 'from' | 'to'>
  readonly #startedAt: number
  #owner: CallOwner | null = null
  #callbacks: StatusCallbacks | null = null
  #status: CallStatus = 'dialing'
  #answeredAt: number | null = null
  #endedAt: number | null = null
  #cause: { readonly sipCode: number; readonly endedBy: EndedBy } | null = null
  #handset: Handset | null = null
  #media: MediaLeg | null = null
  /** Called once, when the call is over. */
  onEnded: () => void = () => {}

  constructor(options: LineOptions, who: LineCall['who']) {
    this.#options = options
    this.#who = who
    this.#startedAt = options.clock.now()
  }

  get who(): Pick<CallRecord, 'call_id' | 'direction' | 'from' | 'to'> {
    return this.#who
  }

  get status(): CallStatus {
    return this.#status
  }

  get owner(): CallOwner | null {
    return this.#owner
  }

  get isLive(): boolean {
    return this.#status !== 'ended'
  }

  belongTo(owner: CallOwner): void {
    const { eventSecret, timers, faults, signal } = this.#options
    this.#owner = owner
    this.#callbacks = new StatusCallbacks({
      url: owner.status_url,
      secret: eventSecret,
      timers,
      faults,
      signal,
    })
  }

  ring(): void {
    this.#status = 'ringing'
    this.#report('ringing')
  }

  /** The two talk from now on. */
  connect(callee: Callee, mediaUrl: string): void {
    const { sound, every20ms, clock } = this.#options
    const { attempt_id = '', order_id = '', attempt_number = 0 } = this.#owner ?? {}
    this.#status = 'answered'
    this.#answeredAt = clock.now()
    this.#report('answered')
    this.#handset = new Handset({ callee, sound })
    this.#media = new MediaLeg({
      url: mediaUrl,
      callId: this.#who.call_id,
      parameters: { attempt_id, order_id, attempt_number: String(attempt_number) },
      handset: this.#handset,
      every20ms,
      onEnded: (endedBy) => this.end(SIP_OK, endedBy),
    })
  }

  /** Nothing happens when it has ended. */
  end(sipCode: number, endedBy: EndedBy): void {
    if (!this.isLive) return
    this.#media?.close()
    this.#status = 'ended'
    this.#endedAt = this.#options.clock.now()
    this.#cause = { sipCode, endedBy }
    this.#report('ended')
    this.onEnded()
  }

  record(): CallRecord {
    return {
      ...this.#who,
      attempt_id: this.#owner?.attempt_id ?? null,
      order_id: this.#owner?.order_id ?? null,
      attempt_number: this.#owner?.attempt_number ?? null,
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

  #report(status: 'ringing' | 'answered' | 'ended'): void {
    if (this.#owner === null) return
    const { attempt_id, order_id, attempt_number } = this.#owner
    this.#callbacks?.report({
      call_id: this.#who.call_id,
      attempt_id,
      order_id,
      attempt_number,
      status,
      at: iso(this.#options.clock.now()),
      sip_code: this.#cause?.sipCode ?? null,
      ended_by: this.#cause?.endedBy ?? null,
    })
  }
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
