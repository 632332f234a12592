import type { SpeechChunk, SpeechRequest, TextToSpeech } from '#shared/ports/text-to-speech.ts'

import { orAborted } from '../or-aborted.ts'

/** About an hour of speech. */
const DEFAULT_MAX_BYTES = 32_000_000

/**
 * Sentences that are said in many calls (`isFixed`) are synthesised once, also for those who ask at the
 * same time, and kept in memory. The longest unused ones go first.
 */
export function keptSpeech(
  voice: TextToSpeech,
  { maxBytes = DEFAULT_MAX_BYTES }: { readonly maxBytes?: number } = {},
): TextToSpeech {
  /** Oldest use first. */
  const kept = new Map<string, readonly SpeechChunk[]>()
  const underway = new Map<string, SharedSynthesis>()
  let bytes = 0

  function keep(key: string, chunks: readonly SpeechChunk[]): void {
    forget(key)
    if (sizeOf(chunks) > maxBytes) return
    kept.set(key, chunks)
    bytes += sizeOf(chunks)
    for (const [oldest] of kept) {
      if (bytes <= maxBytes) break
      forget(oldest)
    }
  }

  function forget(key: string): void {
    bytes -= sizeOf(kept.get(key) ?? [])
    kept.delete(key)
  }

  function begin(key: string, request: SpeechRequest): SharedSynthesis {
    const synthesis = new SharedSynthesis(voice, request, (whole) => {
      if (underway.get(key) === synthesis) underway.delete(key)
      if (whole !== null) keep(key, whole)
    })
    underway.set(key, synthesis)
    return synthesis
  }

  async function* synthesize(
    request: SpeechRequest,
    signal: AbortSignal,
  ): AsyncGenerator<SpeechChunk> {
    const key = JSON.stringify([request.voice, request.pronunciationDictionaryId, request.text])
    const known = kept.get(key)
    if (known !== undefined) keep(key, known)
    yield* known ?? (underway.get(key) ?? begin(key, request)).read(signal)
  }

  return {
    synthesize: (request, signal) =>
      request.isFixed === true ? synthesize(request, signal) : voice.synthesize(request, signal),
  }
}

function sizeOf(chunks: readonly SpeechChunk[]): number {
  return chunks.reduce((sum, { audio }) => sum + audio.length, 0)
}

/** One synthesis for as many as want it: it goes on until the last of them has left. */
class SharedSynthesis {
  readonly #chunks: SpeechChunk[] = []
  readonly #cancel = new AbortController()
  readonly #onOver: (whole: readonly SpeechChunk[] | null) => void
  readonly #done: Promise<void>
  #readers = 0
  #isOver = false
  #more = Promise.withResolvers<void>()

  /** `onOver`: all of it, or null when it failed or nobody wanted it any more. */
  constructor(
    voice: TextToSpeech,
    request: SpeechRequest,
    onOver: (whole: readonly SpeechChunk[] | null) => void,
  ) {
    this.#onOver = onOver
    this.#done = this.#run(voice, request)
    // Readers are told; there may be none left.
    this.#done.catch(() => {})
  }

  async *read(signal: AbortSignal): AsyncGenerator<SpeechChunk> {
    this.#readers += 1
    try {
      for (let next = 0; !signal.aborted;) {
        const chunk = this.#chunks[next]
        if (chunk !== undefined) {
          next += 1
          yield chunk
        } else if (this.#isOver) {
          return await this.#done
        } else {
          await orAborted(this.#more.promise, signal)
        }
      }
    } finally {
      this.#readers -= 1
      if (this.#readers === 0) this.#leave()
    }
  }

  async #run(voice: TextToSpeech, request: SpeechRequest): Promise<void> {
    let whole: readonly SpeechChunk[] | null = null
    try {
      for await (const chunk of voice.synthesize(request, this.#cancel.signal)) {
        this.#chunks.push(chunk)
        this.#tell()
      }
      if (!this.#cancel.signal.aborted) whole = this.#chunks
    } finally {
      this.#isOver = true
      this.#onOver(whole)
      this.#tell()
    }
  }

  /** Whoever comes later begins afresh. */
  #leave(): void {
    if (this.#isOver) return
    this.#cancel.abort()
    this.#onOver(null)
  }

  #tell(): void {
    this.#more.resolve()
    this.#more = Promise.withResolvers()
  }
}
