import type { VoiceActivityDetector, VoiceActivityStream } from '#shared/ports/voice-activity.ts'

import type { TimerName } from '../engine/conversation-event.ts'
import { advanceSegmenter, SILENT, VAD_WINDOW_MS } from '../media/speech-segmenter.ts'
import { ToneDetector } from '../media/tone-detector.ts'
import type { EventWithoutTime } from './event-without-time.ts'
import { Recogniser } from './recogniser.ts'
import type { RecogniserDeps } from './recogniser.ts'

export interface HearingDeps extends RecogniserDeps {
  readonly voiceActivity: VoiceActivityDetector
  /** `notBeforeMs`: when it is known to have happened by the media, should the clock be behind it. */
  readonly emit: (event: EventWithoutTime, notBeforeMs?: number) => void
}

/** The agent's ears: the callee's frames as speech, transcripts and tones. */
export class Hearing {
  readonly #deps: HearingDeps
  readonly #voiceActivity: VoiceActivityStream
  readonly #recogniser: Recogniser
  readonly #tones = new ToneDetector()
  #segmenter = SILENT
  /** Media time at which the next window of the detector begins; null before the first frame. */
  #windowAtMs: number | null = null
  /** What is to be said when the callee was heard up to a moment. */
  readonly #alarms = new Map<TimerName, number>()

  constructor(deps: HearingDeps) {
    this.#deps = deps
    this.#recogniser = new Recogniser(deps)
    this.#voiceActivity = deps.voiceActivity.open((probability) => this.#listen(probability))
  }

  /** The next 20 ms, which began at `atMs` of the session. */
  push(frame: Uint8Array, atMs: number): void {
    this.#windowAtMs ??= atMs
    this.#voiceActivity.write(frame)
    this.#recogniser.write(frame, atMs)
    const tone = this.#tones.push(frame)
    if (tone?.type === 'toneEnded') this.#deps.emit(tone)
  }

  /** `timerFired` when everything before `atMs` of the media was heard. Replaces one of that name. */
  setAlarm(name: TimerName, atMs: number): void {
    this.#alarms.set(name, atMs)
  }

  clearAlarm(name: TimerName): void {
    this.#alarms.delete(name)
  }

  close(): void {
    this.#recogniser.close()
    this.#voiceActivity.close()
  }

  #listen(probability: number): void {
    const atMs = (this.#windowAtMs ?? 0) + VAD_WINDOW_MS
    this.#windowAtMs = atMs
    const { state, change } = advanceSegmenter(this.#segmenter, { probability, atMs })
    this.#segmenter = state
    if (change !== null) this.#deps.emit(change)
    for (const [name, dueAtMs] of this.#alarms) {
      if (dueAtMs > atMs) continue
      this.#alarms.delete(name)
      this.#deps.emit({ type: 'timerFired', name }, dueAtMs)
    }
  }
}
