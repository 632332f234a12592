import type { AssistantSettings } from '#shared/domain/assistant.ts'
import type { Logger } from '#shared/ports/logger.ts'
import type { SpeechRequest, TextToSpeech } from '#shared/ports/text-to-speech.ts'

import type { ConversationCommand } from '../engine/conversation-command.ts'
import type { ConversationEvent } from '../engine/conversation-event.ts'
import type { MediaCommand } from '../media-worker/call-media.ts'
import type { EventWithoutTime } from './event-without-time.ts'

/** What of it is played: two minutes of one speech. */
const SPEECH_BYTES_MAX = 120_000 * 8

export interface SpeakingDeps {
  readonly textToSpeech: TextToSpeech
  readonly logger: Logger
  readonly assistant: Pick<AssistantSettings, 'voice' | 'ttsDictionaryPronunciationId'>
  /** Sentences that other calls say as well. */
  readonly fixedTexts: ReadonlySet<string>
  /** Names the session; unique in the process. */
  readonly reference: string
  /** Ms of the session. */
  readonly now: () => number
  readonly perform: (command: MediaCommand) => void
  readonly emit: (event: EventWithoutTime, atMs?: number) => void
}

type Speak = Omit<Extract<ConversationCommand, { type: 'speak' }>, 'type'>
type PlayoutEvent = Extract<ConversationEvent, { readonly type: `playout${string}` }>

/** Texts as synthesised speech, on its way to the callee; what becomes of each is an event. */
export class Speaking {
  readonly #deps: SpeakingDeps
  readonly #syntheses = new Map<string, AbortController>()
  /** Queued sounds that are no speech: nobody is told about them. */
  readonly #sounds = new Set<string>()
  #soundCount = 0
  readonly #prepared = new Set<string>()
  readonly #preparations = new AbortController()
  /** What is said up to a flush is one utterance. */
  #flushes = 0

  constructor(deps: SpeakingDeps) {
    this.#deps = deps
  }

  say({ speechId, text, turn }: Speak): void {
    const synthesis = new AbortController()
    this.#syntheses.set(speechId, synthesis)
    this.#deps.perform({ type: 'queueSpeech', speechId, text })
    void this.#synthesize({ speechId, text, turn }, synthesis)
  }

  /** Has a fixed text ready for when it is said; should that fail, it is synthesised then. */
  prepare(text: string): void {
    if (this.#prepared.has(text)) return
    this.#prepared.add(text)
    void this.#drain(text)
  }

  /** Plays ready audio after everything queued, for example key tones. */
  play(audio: Uint8Array): void {
    const { perform } = this.#deps
    this.#soundCount += 1
    const speechId = `sound-${this.#soundCount}`
    this.#sounds.add(speechId)
    perform({ type: 'queueSpeech', speechId, text: '' })
    perform({ type: 'addAudio', speechId, audio, words: [] })
    perform({ type: 'completeSpeech', speechId })
  }

  /** Stops speaking at once, synthesis included. */
  flush(): void {
    this.#abort()
    this.#flushes += 1
    this.#deps.perform({ type: 'flush' })
  }

  close(): void {
    this.#abort()
    this.#preparations.abort()
  }

  /** What became of a speech, or of a sound. */
  hear(event: PlayoutEvent): void {
    if (!this.#sounds.has(event.speechId)) this.#deps.emit(event, event.atMs)
    else if (event.type !== 'playoutStarted') this.#sounds.delete(event.speechId)
  }

  #abort(): void {
    for (const synthesis of this.#syntheses.values()) synthesis.abort()
    this.#syntheses.clear()
  }

  async #synthesize({ speechId, text, turn }: Speak, synthesis: AbortController): Promise<void> {
    const { emit, fixedTexts, logger, now, perform, reference, textToSpeech } = this.#deps
    const { signal } = synthesis
    const askedAtMs = now()
    let bytes = 0
    try {
      const utterance = `${reference}/${turn}.${this.#flushes}`
      const request = { ...this.#requestFor(text), isFixed: fixedTexts.has(text), utterance }
      for await (const chunk of textToSpeech.synthesize(request, signal)) {
        if (signal.aborted) return
        if (bytes === 0 && chunk.audio.length > 0)
          emit({ type: 'speechReady', speechId, ttfbMs: now() - askedAtMs })
        bytes += chunk.audio.length
        if (bytes > SPEECH_BYTES_MAX) synthesis.abort()
        else perform({ type: 'addAudio', speechId, ...chunk })
      }
    } catch (error) {
      if (signal.aborted) return
      logger.warn('speech synthesis failed', { speechId, error })
      emit({ type: 'speechFailed', speechId })
    } finally {
      this.#syntheses.delete(speechId)
      // What came before a failure is played; after a flush there is nothing to complete.
      perform({ type: 'completeSpeech', speechId })
    }
  }

  async #drain(text: string): Promise<void> {
    const { logger, textToSpeech } = this.#deps
    const { signal } = this.#preparations
    try {
      const request = { ...this.#requestFor(text), isFixed: true }
      for await (const _chunk of textToSpeech.synthesize(request, signal)) {
        if (signal.aborted) return
      }
    } catch (error) {
      if (!signal.aborted) logger.warn('a sentence could not be prepared', { error })
    }
  }

  #requestFor(text: string): SpeechRequest {
    const { voice, ttsDictionaryPronunciationId: pronunciationDictionaryId } = this.#deps.assistant
    return { text, voice, pronunciationDictionaryId }
  }
}
