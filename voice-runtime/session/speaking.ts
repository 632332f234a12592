import type { AssistantSettings } from '#shared/domain/assistant.ts'
import type { Logger } from '#shared/ports/logger.ts'
import type { TextToSpeech } from '#shared/ports/text-to-speech.ts'

import type { EventWithoutTime } from './event-without-time.ts'
import { Playout } from './playout.ts'
import type { PlayoutDeps, PlayoutEvent } from './playout.ts'

export interface SpeakingDeps extends Omit<PlayoutDeps, 'onEvent'> {
  readonly textToSpeech: TextToSpeech
  readonly logger: Logger
  readonly assistant: Pick<AssistantSettings, 'voice' | 'ttsDictionaryPronunciationId'>
  readonly emit: (event: EventWithoutTime) => void
}

/** Texts as synthesised speech, on its way to the callee; what becomes of each is an event. */
export class Speaking {
  readonly #deps: SpeakingDeps
  readonly #playout: Playout
  readonly #syntheses = new Map<string, AbortController>()
  /** Queued sounds that are no speech: nobody is told about them. */
  readonly #sounds = new Set<string>()
  #soundCount = 0

  constructor(deps: SpeakingDeps) {
    this.#deps = deps
    this.#playout = new Playout({ ...deps, onEvent: (event) => this.#report(event) })
  }

  say(speechId: string, text: string): void {
    const synthesis = new AbortController()
    this.#syntheses.set(speechId, synthesis)
    this.#playout.queue(speechId, text)
    void this.#synthesize(speechId, text, synthesis)
  }

  /** Plays ready audio after everything queued, for example key tones. */
  play(audio: Uint8Array): void {
    this.#soundCount += 1
    const id = `sound-${this.#soundCount}`
    this.#sounds.add(id)
    this.#playout.queue(id, '')
    this.#playout.receive(id, { audio, words: [] })
    this.#playout.complete(id)
  }

  echo(mark: string): void {
    this.#playout.echo(mark)
  }

  /** Stops speaking at once, synthesis included. */
  flush(): void {
    for (const synthesis of this.#syntheses.values()) synthesis.abort()
    this.#syntheses.clear()
    this.#playout.flush()
    this.#sounds.clear()
  }

  async #synthesize(speechId: string, text: string, synthesis: AbortController): Promise<void> {
    const { assistant, emit, logger, now, textToSpeech } = this.#deps
    const { signal } = synthesis
    const askedAtMs = now()
    let isFirst = true
    try {
      const request = {
        text,
        voice: assistant.voice,
        pronunciationDictionaryId: assistant.ttsDictionaryPronunciationId,
      }
      for await (const chunk of textToSpeech.synthesize(request, signal)) {
        if (signal.aborted) return
        if (isFirst) emit({ type: 'speechReady', speechId, ttfbMs: now() - askedAtMs })
        isFirst = false
        if (!this.#playout.receive(speechId, chunk)) synthesis.abort()
      }
    } catch (error) {
      if (signal.aborted) return
      logger.warn('speech synthesis failed', { speechId, error })
      emit({ type: 'speechFailed', speechId })
    } finally {
      this.#syntheses.delete(speechId)
      // What came before a failure is played; after a flush there is nothing to complete.
      this.#playout.complete(speechId)
    }
  }

  #report(event: PlayoutEvent): void {
    const { speechId } = event
    if (this.#sounds.has(speechId)) {
      if (event.type === 'done') this.#sounds.delete(speechId)
    } else if (event.type === 'started') {
      this.#deps.emit({ type: 'playoutStarted', speechId })
    } else if (event.type === 'done') {
      this.#deps.emit({ type: 'playoutDone', speechId })
    } else {
      this.#deps.emit({ type: 'playoutFlushed', speechId, heardText: event.heardText })
    }
  }
}
