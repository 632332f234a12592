import { FRAME_BYTES } from '#shared/audio/frame.ts'
import { encodeMulaw } from '#shared/audio/mulaw.ts'
import { toneWords, wordTones } from '#shared/audio/tone-words.ts'
import type { Timers } from '#shared/ports/clock.ts'

/** How fast a fake speaks. Without it everything comes at once, but one chunk per turn of the event loop. */
export interface FakePace {
  readonly timers: Timers
  /** From the text to its first chunk, and from chunk to chunk. */
  readonly firstMs: number
  readonly chunkMs: number
}

/** What goes wrong with the next text that is spoken, after so many words of it. */
export type SpeechFault =
  | { readonly kind: 'error'; readonly code: number; readonly afterWords?: number }
  | { readonly kind: 'drop'; readonly afterWords?: number }
  /** Says things that make no sense, and goes on as it should. */
  | { readonly kind: 'garbage'; readonly afterWords?: number }
  /** Says nothing more, and keeps the connection. */
  | { readonly kind: 'stall'; readonly afterWords?: number }

export interface SpokenChunk {
  /** Mu-law. */
  readonly audio: Uint8Array
  /** Of the word, from the start of its sentence. */
  readonly text: string
  readonly startMs: number
  readonly endMs: number
}

const tones = new Map<string, Uint8Array>()

function tonesOf(word: string): Uint8Array {
  const known = tones.get(word)
  if (known !== undefined) return known
  const audio = encodeMulaw(wordTones(word))
  tones.set(word, audio)
  return audio
}

/** A sentence in tones, of which `ToneWordDecoder` understands the exact words; one chunk for each. */
export function spokenChunks(text: string): SpokenChunk[] {
  let startMs = 0
  return toneWords(text).map((word) => {
    const audio = tonesOf(word)
    const endMs = startMs + (audio.length / FRAME_BYTES) * 20
    const chunk = { audio, text: word, startMs, endMs }
    startMs = endMs
    return chunk
  })
}

/** Says one thing after the other. A job gives the next step, or null when it is through. */
export class FakeMouth {
  readonly #pace: FakePace | undefined
  readonly #jobs: { readonly steps: Iterator<() => void>; isFirst: boolean }[] = []
  #isBusy = false
  #isSilent = false

  constructor(pace?: FakePace) {
    this.#pace = pace
  }

  say(steps: Iterable<() => void>): void {
    this.#jobs.push({ steps: steps[Symbol.iterator](), isFirst: true })
    if (!this.#isBusy) this.#next()
  }

  /** Drops what is not said yet. */
  clear(): void {
    this.#jobs.length = 0
  }

  /** Never says anything again. */
  stall(): void {
    this.#isSilent = true
  }

  #next(): void {
    const job = this.#jobs[0]
    this.#isBusy = job !== undefined && !this.#isSilent
    if (job === undefined || this.#isSilent) return
    const step = () => {
      if (this.#jobs[0] === job) {
        const { done, value } = job.steps.next()
        if (done !== true) value()
        else this.#jobs.shift()
      }
      this.#next()
    }
    if (this.#pace === undefined) setImmediate(step)
    else this.#pace.timers.after(job.isFirst ? this.#pace.firstMs : this.#pace.chunkMs, step)
    job.isFirst = false
  }
}
