import { WebSocket } from 'ws'

import { FRAME_BYTES, FRAME_MS, SAMPLES_PER_MS } from '#shared/audio/frame.ts'

import { now } from './monotonic.ts'
import { ROUND, ROUND_FRAMES } from './script.ts'

export interface CarrierCallOptions {
  readonly session: number
  readonly url: string
  /** A piece of the agent's audio came. */
  readonly onAudio: (call: CarrierCall, bytes: number) => void
  readonly onClear: (call: CarrierCall) => void
  readonly onClosed: (call: CarrierCall) => void
}

const MEDIA_HEAD = '{"event":"media","media":{"track":"inbound","timestamp":"'
const PAYLOADS = ROUND.map((frame) => Buffer.from(frame).toString('base64'))

/** The carrier's end of one call: sends a frame every 20 ms, plays what comes, echoes marks when it is played. */
export class CarrierCall {
  readonly session: number
  /** Frames sent since the call was answered. */
  frames = 0
  /** When each of the last frames was sent, by its number. */
  readonly sentAt = new Float64Array(512)
  readonly #socket: WebSocket
  readonly #options: CarrierCallOptions
  readonly #marks: { readonly name: string; readonly atMs: number }[] = []
  #playsUntil = 0
  #isStarted = false

  constructor(options: CarrierCallOptions) {
    this.#options = options
    this.session = options.session
    this.#socket = new WebSocket(options.url, { perMessageDeflate: false })
    this.#socket.on('open', () => this.#start())
    this.#socket.on('message', (data: Buffer) => this.#receive(data.toString('latin1')))
    this.#socket.on('close', () => options.onClosed(this))
    this.#socket.on('error', (error) => console.error('carrier', this.session, error.message))
  }

  /** Every 20 ms. */
  tick(): void {
    if (!this.#isStarted || this.#socket.readyState !== WebSocket.OPEN) return
    const time = now()
    for (let mark = this.#marks[0]; mark !== undefined && mark.atMs <= time; [mark] = this.#marks) {
      this.#socket.send(`{"event":"mark","mark":{"name":"${mark.name}"}}`)
      this.#marks.shift()
    }
    this.sentAt[this.frames % this.sentAt.length] = time
    const payload = this.frames === 0 ? this.#name() : PAYLOADS[this.frames % ROUND_FRAMES]!
    this.#socket.send(`${MEDIA_HEAD}${this.frames * FRAME_MS}","payload":"${payload}"}}`)
    this.frames += 1
  }

  close(): void {
    this.#socket.close(1000)
  }

  #start(): void {
    const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 }
    const start = { streamSid: 'MZ1', callSid: `CA${this.session}`, mediaFormat }
    this.#socket.send(JSON.stringify({ event: 'start', start }))
    this.#isStarted = true
  }

  /** The first frame tells the fake recogniser whose it is. */
  #name(): string {
    const frame = Buffer.alloc(FRAME_BYTES, 0xff)
    frame.writeUInt32LE(this.session)
    return frame.toString('base64')
  }

  #receive(text: string): void {
    if (text.startsWith('{"event":"media"')) {
      const from = text.indexOf('"payload":"') + '"payload":"'.length
      const bytes = Math.floor(((text.indexOf('"', from) - from) * 3) / 4)
      this.#playsUntil = Math.max(now(), this.#playsUntil) + bytes / SAMPLES_PER_MS
      this.#options.onAudio(this, bytes)
    } else if (text.startsWith('{"event":"mark"')) {
      const { mark } = JSON.parse(text) as { readonly mark: { readonly name: string } }
      this.#marks.push({ name: mark.name, atMs: this.#playsUntil })
    } else {
      this.#playsUntil = now()
      for (const [index, mark] of this.#marks.entries()) this.#marks[index] = { ...mark, atMs: 0 }
      this.#options.onClear(this)
    }
  }
}
