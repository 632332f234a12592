import type { VoiceActivityDetector, VoiceActivityStream } from '#shared/ports/voice-activity.ts'

import { advanceSegmenter, SILENT, VAD_WINDOW_MS } from '../media/speech-segmenter.ts'
import { ToneDetector } from '../media/tone-detector.ts'
import type { UntimedMediaEvent } from './call-media.ts'

/** The callee's audio is passed on in pieces of this many frames: 100 ms. */
const FRAMES_PER_PIECE = 5

export interface EarsDeps {
  readonly voiceActivity: VoiceActivityDetector
  /** `notBeforeMs`: when it is known to have happened by the media, should the clock be behind it. */
  readonly emit: (event: UntimedMediaEvent, notBeforeMs?: number) => void
}

/** The callee's frames as speech and tones, and in pieces for a recogniser. */
export class Ears {
  readonly #deps: EarsDeps
  readonly #voiceActivity: VoiceActivityStream
  #tones: ToneDetector | null = null
  #segmenter = SILENT
  /** Media time at which the next window of the detector begins; null before the first frame. */
  #windowAtMs: number | null = null
  #piece: Uint8Array[] = []
  #pieceFromMs = 0
  readonly #alarms = new Map<string, number>()

  constructor(deps: EarsDeps) {
    this.#deps = deps
    this.#voiceActivity = deps.voiceActivity.open((probability) => this.#listen(probability))
  }

  /** The next 20 ms, which began at `atMs` of the media. */
  push(frame: Uint8Array, atMs: number): void {
    this.#windowAtMs ??= atMs
    if (this.#piece.length === 0) this.#pieceFromMs = atMs
    this.#piece.push(frame)
    if (this.#piece.length >= FRAMES_PER_PIECE) this.#passOn()
    this.#voiceActivity.write(frame)
    const tone = this.#tones?.push(frame)
    if (tone?.type === 'toneEnded') this.#deps.emit(tone)
  }

  setAlarm(name: string, atMs: number): void {
    this.#alarms.set(name, atMs)
  }

  clearAlarm(name: string): void {
    this.#alarms.delete(name)
  }

  listenForTones(isWanted: boolean): void {
    this.#tones = isWanted ? (this.#tones ?? new ToneDetector()) : null
  }

  close(): void {
    this.#voiceActivity.close()
  }

  #listen(probability: number): void {
    const atMs = (this.#windowAtMs ?? 0) + VAD_WINDOW_MS
    this.#windowAtMs = atMs
    const { state, change } = advanceSegmenter(this.#segmenter, { probability, atMs })
    this.#segmenter = state
    if (change !== null) {
      // The recogniser is not to wait for what may be the last of it.
      this.#passOn()
      this.#deps.emit(change)
    }
    for (const [name, dueAtMs] of this.#alarms) {
      if (dueAtMs > atMs) continue
      this.#alarms.delete(name)
      this.#deps.emit({ type: 'alarmRang', name }, dueAtMs)
    }
  }

  #passOn(): void {
    if (this.#piece.length === 0) return
    const audio = joined(this.#piece)
    this.#piece = []
    this.#deps.emit({ type: 'audio', audio, fromMs: this.#pieceFromMs })
  }
}

function joined(frames: readonly Uint8Array[]): Uint8Array {
  const audio = new Uint8Array(frames.reduce((sum, frame) => sum + frame.length, 0))
  let at = 0
  for (const frame of frames) {
    audio.set(frame, at)
    at += frame.length
  }
  return audio
}
