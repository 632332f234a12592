import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { Timers } from '#shared/ports/clock.ts'
import type { Logger } from '#shared/ports/logger.ts'

import { VendorSocket } from '../websocket/vendor-socket.ts'
import type { SocketLimits, VendorMessage } from '../websocket/vendor-socket.ts'
import type { SpeechContext } from './speech-context.ts'
import type { SpeechEvent, SpeechProtocol, SpeechSettings } from './speech-protocol.ts'

/** A connection without contexts is kept for the next one this long: less than any vendor's limit. */
const IDLE_MS = 50_000
/** A cancelled context whose vendor does not say that it is over is over then. */
const CANCELLED_MS = 5_000

export interface ConnectionDeps {
  readonly protocol: SpeechProtocol
  readonly timers: Timers
  readonly logger: Logger
  readonly limits?: SocketLimits | undefined
}

/** The contexts that share one socket. */
export class SpeechConnection {
  readonly #deps: ConnectionDeps
  readonly #socket: VendorSocket
  readonly #read: (message: VendorMessage) => readonly SpeechEvent[]
  readonly #contexts = new Map<string, { context: SpeechContext; onOver: () => void }>()
  /** Cancelled, but still counted by the vendor; each with its timer. */
  readonly #cancelled = new Map<string, () => void>()
  readonly #onClosed: () => void
  #stopIdling: () => void = () => undefined

  constructor(deps: ConnectionDeps, settings: SpeechSettings, onClosed: () => void) {
    this.#deps = deps
    this.#onClosed = onClosed
    this.#read = deps.protocol.reader()
    this.#socket = new VendorSocket({
      name: deps.protocol.name,
      ...deps.protocol.address(settings),
      timers: deps.timers,
      logger: deps.logger,
      ...(deps.limits && { limits: deps.limits }),
      onMessage: (message) => {
        for (const event of this.#read(message)) this.#take(event)
      },
      onLost: (error) => this.#lose(error),
    })
  }

  get hasRoom(): boolean {
    return this.#contexts.size + this.#cancelled.size < this.#deps.protocol.contextsPerConnection
  }

  /** `onOver` is called once: when the context was said, failed or cancelled. */
  add(context: SpeechContext, onOver: () => void): void {
    this.#stopIdling()
    this.#contexts.set(context.id, { context, onOver })
  }

  send(frames: readonly object[]): void {
    for (const frame of frames) this.#socket.send(frame)
  }

  cancel(contextId: string): void {
    const { protocol, timers } = this.#deps
    const open = this.#contexts.get(contextId)
    if (open === undefined) return
    this.send(protocol.cancel(contextId, open.context.isFinished))
    if (protocol.answersCancel) {
      this.#cancelled.set(
        contextId,
        timers.after(CANCELLED_MS, () => this.#release(contextId)),
      )
    }
    this.#over(contextId)
  }

  close(): void {
    this.#socket.close()
    this.#lose(new AdapterError(`the ${this.#deps.protocol.name} was closed`, { retryable: false }))
  }

  /** Frames of contexts that are not live are late ones: nobody waits for them. */
  #take(event: SpeechEvent): void {
    const ids = event.contextId === null ? [...this.#contexts.keys()] : [event.contextId]
    for (const id of ids) {
      const isOver = this.#contexts.get(id)?.context.take(event)
      if (isOver === true) this.#over(id)
      if (event.type === 'done' || event.type === 'failed') this.#release(id)
    }
  }

  #over(contextId: string): void {
    const open = this.#contexts.get(contextId)
    this.#contexts.delete(contextId)
    this.#idle()
    open?.onOver()
  }

  #release(contextId: string): void {
    this.#cancelled.get(contextId)?.()
    if (this.#cancelled.delete(contextId)) this.#idle()
  }

  #idle(): void {
    if (this.#contexts.size + this.#cancelled.size > 0) return
    this.#stopIdling()
    this.#stopIdling = this.#deps.timers.after(IDLE_MS, () => this.close())
  }

  #lose(error: AdapterError): void {
    this.#stopIdling()
    for (const stop of this.#cancelled.values()) stop()
    this.#cancelled.clear()
    this.#onClosed()
    for (const [id, { context }] of this.#contexts) {
      context.end(error)
      this.#over(id)
    }
    this.#stopIdling()
  }
}
