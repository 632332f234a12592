import { randomUUID } from 'node:crypto'

import { WebSocket } from 'ws'

import { FRAME_MS } from '#shared/audio/frame.ts'

import type { Handset } from './handset.ts'
import { CarrierFrames, decodeAgentFrame } from './media-frames.ts'
import { PlayoutBuffer } from './playout-buffer.ts'

/** Of real time: the handshake is with a real peer, however fast the clock runs. */
const OPENS_WITHIN_MS = 10_000
/** A peer that takes in nothing for about a minute is gone. */
const MAX_UNSENT_BYTES = 1_000_000
const MAX_FRAME_BYTES = 256 * 1024
const NORMAL = 1000
const UNDECODABLE = 1007
const TOO_MUCH = 1009
/** Reported by the WebSocket library when no closing frame came. */
const ABNORMAL = 1006

export type EndedBy = 'callee' | 'caller' | 'carrier'

export interface MediaLegOptions {
  readonly url: string
  readonly callId: string
  readonly parameters: Readonly<Record<string, string>>
  readonly handset: Handset
  readonly every20ms: (run: () => void) => () => void
  /** Called once, unless `close` came first. */
  readonly onEnded: (endedBy: EndedBy) => void
}

/**
 * The media of one answered call over a WebSocket that the carrier opens. The query string of the
 * URL is dropped, as real carriers do (reference/protocols-media.md 3.2).
 */
export class MediaLeg {
  readonly #options: MediaLegOptions
  readonly #socket: WebSocket
  readonly #frames: CarrierFrames
  readonly #buffer = new PlayoutBuffer()
  #leaveTicker = () => {}
  #elapsedMs = 0
  #isOver = false

  constructor(options: MediaLegOptions) {
    this.#options = options
    this.#frames = new CarrierFrames({ streamId: `MZ${randomUUID()}`, callId: options.callId })
    this.#socket = new WebSocket(withoutQuery(options.url), {
      perMessageDeflate: false,
      maxPayload: MAX_FRAME_BYTES,
      handshakeTimeout: OPENS_WITHIN_MS,
    })
    this.#socket.on('open', () => this.#begin())
    this.#socket.on('message', (data) => this.#receive((data as Buffer).toString()))
    // A failure is always followed by a close.
    this.#socket.on('error', () => {})
    this.#socket.on('close', (code) => this.#end(code === ABNORMAL ? 'carrier' : 'caller'))
  }

  /** Harmless when the leg has ended. */
  close(): void {
    if (this.#isOver) return
    this.#release()
    this.#hangUp()
  }

  #begin(): void {
    if (this.#isOver) return
    this.#socket.send(this.#frames.connected())
    this.#socket.send(this.#frames.start(this.#options.parameters))
    this.#leaveTicker = this.#options.every20ms(() => this.#tick())
  }

  #receive(text: string): void {
    if (this.#isOver) return
    const frame = decodeAgentFrame(text, this.#frames.streamId)
    if (frame === null) this.#refuse(UNDECODABLE)
    else if (frame.kind === 'mark') this.#buffer.mark(frame.name)
    else if (frame.kind === 'clear') this.#echo(this.#buffer.clear())
    else if (!this.#buffer.write(frame.audio)) this.#refuse(TOO_MUCH)
  }

  #tick(): void {
    if (this.#socket.bufferedAmount > MAX_UNSENT_BYTES) {
      this.#socket.terminate()
      return
    }
    const { frame, marks } = this.#buffer.play()
    const moment = this.#options.handset.exchange(frame)
    this.#socket.send(this.#frames.media(moment.audio, this.#elapsedMs))
    this.#elapsedMs += FRAME_MS
    this.#echo(marks)
    for (const digit of moment.digits) this.#socket.send(this.#frames.dtmf(digit))
    if (!moment.hungUp) return
    this.#hangUp()
    this.#end('callee')
  }

  #echo(marks: readonly string[]): void {
    for (const name of marks) this.#socket.send(this.#frames.mark(name))
  }

  #refuse(code: number): void {
    this.#socket.close(code)
    this.#end('carrier')
  }

  #hangUp(): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(this.#frames.stop())
    this.#socket.close(NORMAL)
  }

  #end(endedBy: EndedBy): void {
    if (this.#isOver) return
    this.#release()
    this.#options.onEnded(endedBy)
  }

  #release(): void {
    this.#isOver = true
    this.#leaveTicker()
  }
}

function withoutQuery(url: string): string {
  const stripped = new URL(url)
  stripped.search = ''
  return stripped.href
}
