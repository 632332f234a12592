import { WebSocket } from 'ws'

import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { Timers } from '#shared/ports/clock.ts'
import type { Logger } from '#shared/ports/logger.ts'

export interface SocketLimits {
  readonly handshakeMs: number
  /** A vendor is asked for a sign of life this often, and given up when it gave none in between. */
  readonly pingEveryMs: number
  /** Longest message of a vendor. */
  readonly maxMessageBytes: number
  /** What may wait to be sent: before the connection is open, or because the vendor reads slowly. */
  readonly maxUnsentBytes: number
}

export const DEFAULT_SOCKET_LIMITS: SocketLimits = {
  handshakeMs: 5_000,
  pingEveryMs: 15_000,
  maxMessageBytes: 4_000_000,
  maxUnsentBytes: 2_000_000,
}

export type VendorMessage = Readonly<Record<string, unknown>>

export interface VendorSocketOptions {
  /** Names the vendor's part in errors and logs, for example `recogniser`. */
  readonly name: string
  /** `wss:` or `ws:`. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly timers: Timers
  readonly logger: Logger
  readonly limits?: SocketLimits
  /** Every message that is a JSON object, in a text or a binary frame. What it throws is logged. */
  readonly onMessage: (message: VendorMessage) => void
  /** Once, when the vendor or the network ends the connection; never after `close`. */
  readonly onLost: (error: AdapterError) => void
}

/**
 * A connection to a vendor that talks JSON over a WebSocket; opens at once, and keeps what is sent
 * before that. A message that makes no sense is dropped: it never ends the connection.
 */
export class VendorSocket {
  readonly #options: VendorSocketOptions
  readonly #limits: SocketLimits
  readonly #socket: WebSocket
  #unsent: (string | Uint8Array)[] = []
  #unsentBytes = 0
  #isOver = false
  #isAlive = true
  #hasComplained = false
  #stopPinging: () => void = () => undefined

  constructor(options: VendorSocketOptions) {
    this.#options = options
    this.#limits = options.limits ?? DEFAULT_SOCKET_LIMITS
    this.#socket = new WebSocket(options.url, {
      headers: options.headers ?? {},
      handshakeTimeout: this.#limits.handshakeMs,
      maxPayload: this.#limits.maxMessageBytes,
      perMessageDeflate: false,
      followRedirects: false,
    })
    this.#socket
      .on('open', () => this.#opened())
      .on('message', (data: Buffer) => this.#receive(data))
      .on('pong', () => (this.#isAlive = true))
      .on('unexpected-response', (_request, response) => this.#refused(response.statusCode ?? 0))
      .on('error', (cause) => this.#lost({ retryable: true, cause }))
      .on('close', (code) => this.#lost({ retryable: isRetryableClose(code), status: code }))
  }

  /** An object is sent as JSON, bytes as a binary frame. Does nothing once the connection is over. */
  send(message: object | string | Uint8Array): void {
    if (this.#isOver) return
    const isBare = typeof message === 'string' || message instanceof Uint8Array
    const data = isBare ? message : JSON.stringify(message)
    if (this.#socket.readyState === WebSocket.CONNECTING) {
      this.#unsent.push(data)
      this.#unsentBytes += data.length
    } else {
      this.#socket.send(data)
    }
    if (this.#unsentBytes + this.#socket.bufferedAmount > this.#limits.maxUnsentBytes) {
      this.#lost({ retryable: true, cause: new Error('the vendor does not read') })
    }
  }

  /** Ends the connection; what was sent still leaves. */
  close(): void {
    if (this.#isOver) return
    this.#end()
    this.#socket.close(1000)
  }

  #opened(): void {
    for (const data of this.#unsent) this.#socket.send(data)
    this.#unsent = []
    this.#unsentBytes = 0
    this.#ping()
  }

  #ping(): void {
    this.#stopPinging = this.#options.timers.after(this.#limits.pingEveryMs, () => {
      if (!this.#isAlive) return this.#lost({ retryable: true, cause: new Error('no pong') })
      this.#isAlive = false
      this.#socket.ping()
      this.#ping()
    })
  }

  #receive(data: Buffer): void {
    if (this.#isOver) return
    this.#isAlive = true
    try {
      const message: unknown = JSON.parse(data.toString('utf8'))
      if (typeof message !== 'object' || message === null) throw new TypeError('not an object')
      this.#options.onMessage(message as VendorMessage)
    } catch (error) {
      // Once is enough to know; the text stays out, it may be part of a conversation.
      if (!this.#hasComplained) {
        const { logger, name } = this.#options
        logger.warn('a vendor sent a message that makes no sense', {
          vendor: name,
          error: error instanceof Error ? error.name : 'unknown',
        })
      }
      this.#hasComplained = true
    }
  }

  #refused(status: number): void {
    this.#lost({ retryable: status === 408 || status === 429 || status >= 500, status })
  }

  #lost(why: { retryable: boolean; status?: number; cause?: unknown }): void {
    if (this.#isOver) return
    this.#end()
    this.#socket.terminate()
    const { name, onLost } = this.#options
    onLost(new AdapterError(`the connection to the ${name} was lost`, why))
  }

  #end(): void {
    this.#isOver = true
    this.#unsent = []
    this.#stopPinging()
  }
}

/** Close codes by which a vendor says that the same would not be taken a second time (RFC 6455 7.4). */
function isRetryableClose(code: number): boolean {
  return ![1002, 1003, 1007, 1008, 1009, 1010].includes(code)
}
