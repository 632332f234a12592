import { SAMPLES_PER_MS } from '#shared/audio/frame.ts'
import type { SpokenWord } from '#shared/audio/word-times.ts'
import type { SpeechChunk } from '#shared/ports/text-to-speech.ts'

import { ChunkQueue } from './chunk-queue.ts'
import type { SpeechEvent, SpeechProtocol } from './speech-protocol.ts'

/** One text on its way to being audio. */
export class Sentence {
  readonly text: string
  readonly #chunks = new ChunkQueue<SpeechChunk>()
  /** Words that came before their audio. */
  #words: SpokenWord[] = []
  /** Ms of its context before it. */
  #startMs: number | null = null
  #wordsFromMs: number | null = null

  constructor(text: string) {
    this.text = text
  }

  /** To be read once. */
  get chunks(): AsyncIterable<SpeechChunk> {
    return this.#chunks
  }

  get isOver(): boolean {
    return this.#chunks.isOver
  }

  /** `contextMs`: the audio of its context before this chunk. */
  receive(chunk: {
    readonly audio: Uint8Array
    readonly words: readonly SpokenWord[]
    readonly contextMs: number
    readonly wordTimesFrom: SpeechProtocol['wordTimesFrom']
  }): void {
    this.#startMs ??= chunk.contextMs
    const first = chunk.words[0]
    if (first !== undefined && this.#wordsFromMs === null) {
      // A first word that ends before its sentence began was counted from the sentence after all.
      const isFromContext = chunk.wordTimesFrom === 'context' && first.endMs > this.#startMs
      this.#wordsFromMs = isFromContext ? this.#startMs : 0
    }
    const fromMs = this.#wordsFromMs ?? 0
    for (const { text, endMs } of chunk.words) this.#words.push({ text, endMs: endMs - fromMs })
    if (chunk.audio.length > 0) this.#give(chunk.audio)
  }

  /** `error` null: it was said to its end. */
  end(error: unknown): void {
    if (error === null && this.#words.length > 0) this.#give(new Uint8Array(0))
    this.#chunks.end(error)
  }

  #give(audio: Uint8Array): void {
    this.#chunks.push({ audio, words: this.#words })
    this.#words = []
  }
}

/** What is spoken in one breath at a vendor: the sentences of it that are not complete yet, in order. */
export class SpeechContext {
  readonly id: string
  readonly #wordTimesFrom: SpeechProtocol['wordTimesFrom']
  readonly #sentences: Sentence[] = []
  /** The vendor knows that no more sentences will come. */
  isFinished = false
  #bytes = 0

  constructor(id: string, wordTimesFrom: SpeechProtocol['wordTimesFrom']) {
    this.id = id
    this.#wordTimesFrom = wordTimesFrom
  }

  /** Nobody waits for anything of it any more. */
  get isIdle(): boolean {
    return this.#sentences.every((sentence) => sentence.isOver)
  }

  add(sentence: Sentence): void {
    this.#sentences.push(sentence)
  }

  /** True when the context is over. */
  take(event: SpeechEvent): boolean {
    switch (event.type) {
      case 'audio': {
        const contextMs = this.#bytes / SAMPLES_PER_MS
        const wordTimesFrom = this.#wordTimesFrom
        this.#bytes += event.audio.length
        this.#sentences[0]?.receive({ ...event, contextMs, wordTimesFrom })
        return false
      }
      case 'sentenceDone':
        this.#sentences.shift()?.end(null)
        return false
      case 'done':
        this.end(null)
        return true
      case 'failed':
        this.end(event.error)
        return true
    }
  }

  end(error: unknown): void {
    for (const sentence of this.#sentences.splice(0)) sentence.end(error)
  }
}
