import type { WebSocket } from 'ws'

import { FRAME_MS, Reframer, SAMPLES_PER_MS } from '#shared/audio/frame.ts'
import { MULAW_SILENCE } from '#shared/audio/mulaw.ts'

import { encodeClear, encodeMark, encodeMedia } from '../wire/provider-1.ts'
import type { CarrierFrame } from '../wire/provider-1.ts'
import type { MediaChannel, MediaListener } from './media-channel.ts'

/** What is kept until somebody listens: 5 s of audio. */
const EARLY_FRAMES_MAX = 250
/** Less than this between two packets is rounding; more, and audio is missing. */
const GAP_MIN_MS = 60
/** Filled with silence at once, at most. */
const GAP_MAX_MS = 10_000
/** A carrier that leaves this much unread is not playing it either. */
const UNREAD_BYTES_MAX = 1_000_000

/** One carrier socket as a media channel, from its `start` frame to its end. */
export class CarrierSocket implements MediaChannel {
  readonly callId: string
  readonly startedAt: number
  readonly #streamId: string
  readonly #socket: WebSocket
  #listener: MediaListener | null = null
  #early: CarrierFrame[] = []
  readonly #reframer = new Reframer()
  /** Media time up to which audio has come; null before the first. */
  #untilMs: number | null = null
  /** Media time of the next whole frame. */
  #frameAtMs = 0
  #isOver = false

  constructor(socket: WebSocket, start: { callId: string; streamId: string; startedAt: number }) {
    this.#socket = socket
    this.callId = start.callId
    this.#streamId = start.streamId
    this.startedAt = start.startedAt
  }

  listen(listener: MediaListener): void {
    this.#listener = listener
    for (const frame of this.#early.splice(0)) this.#deliver(frame, listener)
    if (this.#isOver) listener.onStop()
  }

  /** A frame came from the carrier. */
  receive(frame: CarrierFrame): void {
    if (this.#isOver) return
    if (frame.kind === 'stop') return this.end()
    if (this.#listener !== null) return this.#deliver(frame, this.#listener)
    this.#early.push(frame)
    if (this.#early.length > EARLY_FRAMES_MAX) this.#early.shift()
  }

  /** The socket is gone, or is about to be. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#listener?.onStop()
  }

  sendAudio(audio: Uint8Array): void {
    this.#send(encodeMedia(this.#streamId, audio))
  }

  sendMark(name: string): void {
    this.#send(encodeMark(this.#streamId, name))
  }

  sendClear(): void {
    this.#send(encodeClear(this.#streamId))
  }

  close(): void {
    this.#socket.close(1000)
    this.end()
  }

  #send(text: string): void {
    if (this.#isOver || this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#socket.bufferedAmount > UNREAD_BYTES_MAX) this.#socket.terminate()
    else this.#socket.send(text)
  }

  #deliver(frame: CarrierFrame, listener: MediaListener): void {
    if (frame.kind === 'media') this.#deliverAudio(frame.audio, frame.timestampMs, listener)
    else if (frame.kind === 'dtmf') listener.onDtmf(frame.digit)
    else if (frame.kind === 'mark') listener.onMark(frame.name)
  }

  /** In whole frames, whatever the carrier's packets are; silence takes the place of missing ones. */
  #deliverAudio(audio: Uint8Array, timestampMs: number, listener: MediaListener): void {
    if (this.#untilMs === null) {
      this.#untilMs = timestampMs
      this.#frameAtMs = timestampMs
    }
    const gapMs = timestampMs - this.#untilMs
    const missing = gapMs < GAP_MIN_MS ? 0 : Math.min(gapMs, GAP_MAX_MS) * SAMPLES_PER_MS
    this.#untilMs += (missing + audio.length) / SAMPLES_PER_MS
    for (const part of [new Uint8Array(missing).fill(MULAW_SILENCE), audio]) {
      for (const frame of this.#reframer.push(part)) {
        listener.onFrame(frame, this.#frameAtMs)
        this.#frameAtMs += FRAME_MS
      }
    }
  }
}
