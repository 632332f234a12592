import { SAMPLES_PER_MS } from '#shared/audio/frame.ts'
import type { AssistantSettings } from '#shared/domain/assistant.ts'
import { languagesOfVoice } from '#shared/domain/voice-catalogue.ts'
import type { Timers } from '#shared/ports/clock.ts'
import type { Logger } from '#shared/ports/logger.ts'
import type { SpeechToText, SttEvent, SttStream } from '#shared/ports/speech-to-text.ts'

import type { EventWithoutTime } from './event-without-time.ts'

/** Audio that is not recognised yet is kept for a new stream. */
const UNRECOGNISED_MAX_MS = 10_000
/** Waits before each new stream in a row; after the last one fails too, the recogniser is given up. */
const REOPEN_AFTER_MS = [0, 500, 1_000, 2_000, 4_000]

export interface RecogniserDeps {
  readonly speechToText: SpeechToText
  readonly timers: Timers
  readonly logger: Logger
  readonly assistant: Pick<AssistantSettings, 'sttModel' | 'sttContext' | 'voice'>
  /** For the vendor's logs. */
  readonly reference: string
  readonly emit: (event: EventWithoutTime) => void
}

/**
 * Transcripts of the callee, over as many recogniser streams as it takes: when one fails, the next
 * is given all audio since the last final transcript. Only when several in a row fail is
 * `recogniserFailed` emitted.
 */
export class Recogniser {
  readonly #deps: RecogniserDeps
  /** Since the last final transcript. */
  #unrecognised: Uint8Array[] = []
  /** Ms of the session at which the first of them begins. */
  #unrecognisedFromMs: number | null = null
  #stream: SttStream | null = null
  #streamFromMs = 0
  #failures = 0
  #stopWaiting: () => void = () => undefined
  #isClosed = false

  constructor(deps: RecogniserDeps) {
    this.#deps = deps
    this.#open()
  }

  /** The next audio of the callee, whole frames, beginning at `fromMs` of the session. */
  write(audio: Uint8Array, fromMs: number): void {
    if (this.#unrecognisedFromMs === null) {
      this.#unrecognisedFromMs = fromMs
      if (this.#stream !== null) this.#streamFromMs = fromMs
    }
    this.#unrecognised.push(audio)
    this.#forgetUntil(fromMs + lengthOf(audio) - UNRECOGNISED_MAX_MS)
    this.#stream?.write(audio)
  }

  /** All that was said up to now is to be recognised now. */
  finalize(): void {
    this.#stream?.finalize()
  }

  /** What nobody has recognised for good of what was said since then. */
  unrecognisedFrom(atMs: number): readonly Uint8Array[] {
    let fromMs = this.#unrecognisedFromMs ?? atMs
    return this.#unrecognised.filter((audio) => {
      fromMs += lengthOf(audio)
      return fromMs > atMs
    })
  }

  close(): void {
    this.#isClosed = true
    this.#stopWaiting()
    this.#stream?.close()
    this.#stream = null
  }

  #open(): void {
    const { speechToText, assistant, reference } = this.#deps
    let stream: SttStream | null = null
    // A stream may report before `open` has returned; one that was given up reports to nobody.
    const isCurrent = () => !this.#isClosed && (stream === null || stream === this.#stream)
    stream = speechToText.open(
      {
        model: assistant.sttModel,
        languageHints: languagesOfVoice(assistant.voice),
        context: assistant.sttContext ?? { general: [], terms: [] },
        reference,
      },
      (event) => {
        if (isCurrent()) this.#hear(event)
      },
    )
    this.#stream = stream
    this.#streamFromMs = this.#unrecognisedFromMs ?? 0
    for (const audio of this.#unrecognised) stream.write(audio)
  }

  #hear(event: SttEvent): void {
    const { emit } = this.#deps
    switch (event.type) {
      case 'interim':
        this.#failures = 0
        emit({ type: 'interimTranscript', text: event.text })
        break
      case 'final': {
        this.#failures = 0
        const endedAtMs = this.#streamFromMs + event.endMs
        const startedAtMs = this.#streamFromMs + event.startMs
        this.#forgetUntil(endedAtMs)
        emit({ type: 'finalTranscript', text: event.text, startedAtMs, endedAtMs })
        break
      }
      case 'endOfTurn':
        emit({ type: 'endOfTurnHint' })
        break
      case 'failed':
        this.#reopen(event.error)
        break
    }
  }

  #reopen(error: unknown): void {
    const { emit, logger, timers } = this.#deps
    this.#stream?.close()
    this.#stream = null
    const waitMs = REOPEN_AFTER_MS[this.#failures]
    this.#failures += 1
    logger.warn('the recogniser failed', { error, failures: this.#failures })
    if (waitMs === undefined) emit({ type: 'recogniserFailed' })
    else this.#stopWaiting = timers.after(waitMs, () => this.#open())
  }

  /** Whole pieces only, so that a new stream begins where one of them did. */
  #forgetUntil(atMs: number): void {
    if (this.#unrecognisedFromMs === null) return
    for (let first = this.#unrecognised[0]; first !== undefined; [first] = this.#unrecognised) {
      const endMs: number = this.#unrecognisedFromMs + lengthOf(first)
      if (endMs > atMs) return
      this.#unrecognisedFromMs = endMs
      this.#unrecognised.shift()
    }
  }
}

function lengthOf(audio: Uint8Array): number {
  return audio.length / SAMPLES_PER_MS
}
