import { SAMPLES_PER_MS } from '#shared/audio/frame.ts'
import { heardText } from '#shared/audio/heard-text.ts'
import type { SpokenWord } from '#shared/audio/word-times.ts'
import type { Voice } from '#shared/domain/assistant.ts'
import type { Timers } from '#shared/ports/clock.ts'
import type { Logger } from '#shared/ports/logger.ts'
import type { SpeechChunk, SpeechRequest, TextToSpeech } from '#shared/ports/text-to-speech.ts'

import { firstUseful } from '../first-useful.ts'
import type { ChunkLimits } from '../first-useful.ts'

export interface ResilientTextToSpeechOptions {
  /** The voices that may speak in the place of this one, the best first. */
  readonly fallbacksOf: (voice: Voice | null) => readonly Voice[]
  readonly limits: ChunkLimits
  readonly timers: Timers
  readonly logger: Logger
}

/**
 * A voice whose silence or failure is made up for by others. One that dies in the middle of a
 * sentence is followed by another that says the rest, from the word that was cut.
 */
export function resilientTextToSpeech(
  textToSpeech: TextToSpeech,
  options: ResilientTextToSpeechOptions,
): TextToSpeech {
  return {
    synthesize: (request, signal) => new Sentence(textToSpeech, options, request).say(signal),
  }
}

interface Said {
  readonly chunk: SpeechChunk
  /** Which of the voices said it. */
  readonly by: number
}

/** One sentence, said by as many voices as it takes. */
class Sentence {
  readonly #textToSpeech: TextToSpeech
  readonly #options: ResilientTextToSpeechOptions
  readonly #request: SpeechRequest
  readonly #voices: readonly (Voice | null)[]
  /** What is left to be said, who may say it, and what of it was given. */
  #rest: string
  #from = 0
  #words: SpokenWord[] = []
  #givenMs = 0
  /** Of earlier voices. */
  #beforeMs = 0

  constructor(
    textToSpeech: TextToSpeech,
    options: ResilientTextToSpeechOptions,
    request: SpeechRequest,
  ) {
    this.#textToSpeech = textToSpeech
    this.#options = options
    this.#request = request
    this.#rest = request.text
    this.#voices = [request.voice, ...options.fallbacksOf(request.voice)]
  }

  async *say(signal: AbortSignal): AsyncGenerator<SpeechChunk> {
    for (;;) {
      let by = this.#from
      try {
        const candidates = this.#candidates()
        for await (const said of firstUseful({ ...this.#options, candidates, isUseful }, signal)) {
          by = said.by
          yield this.#noted(said.chunk)
        }
        return
      } catch (error) {
        signal.throwIfAborted()
        if (this.#givenMs === 0 || by + 1 >= this.#voices.length) throw error
        this.#options.logger.warn('a voice broke off, another says the rest', { error })
        this.#forgetWhatWasSaid(by + 1)
        if (this.#rest === '') return
      }
    }
  }

  #candidates() {
    const from = this.#from
    return this.#voices.slice(from).map((voice, index) => ({
      name: voice?.provider ?? 'the default voice',
      start: (signal: AbortSignal) => this.#saidBy(from + index, signal),
    }))
  }

  async *#saidBy(by: number, signal: AbortSignal): AsyncGenerator<Said> {
    const same = { ...this.#request, text: this.#rest }
    // What is said in one breath is said by one voice, and a dictionary is one vendor's.
    const other = { utterance: undefined, pronunciationDictionaryId: null }
    const request = by === 0 ? same : { ...same, ...other, voice: this.#voices[by] ?? null }
    for await (const chunk of this.#textToSpeech.synthesize(request, signal)) {
      yield { chunk, by }
    }
  }

  /** Times of words count from the start of the sentence, whoever says it. */
  #noted(chunk: SpeechChunk): SpeechChunk {
    this.#words.push(...chunk.words)
    this.#givenMs += chunk.audio.length / SAMPLES_PER_MS
    const words = chunk.words.map(({ text, endMs }) => ({ text, endMs: endMs + this.#beforeMs }))
    return { audio: chunk.audio, words }
  }

  #forgetWhatWasSaid(from: number): void {
    const speech = { text: this.#rest, words: this.#words, heardMs: this.#givenMs, totalMs: null }
    this.#rest = this.#rest.slice(heardText(speech).length).trim()
    this.#from = from
    this.#beforeMs += this.#givenMs
    this.#givenMs = 0
    this.#words = []
  }
}

function isUseful({ chunk }: Said): boolean {
  return chunk.audio.length > 0
}
