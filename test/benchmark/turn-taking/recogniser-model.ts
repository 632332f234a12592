/**
 * A recogniser as the corpus assumes one: when it tells which words. The figures are assumptions about
 * vendors, not measurements of any; they are printed with the results.
 */

import type { SpokenWord } from './corpus.ts'
import type { Random } from './random.ts'

export const ASSUMED = {
  /** From the end of a word to the interim text that holds it. */
  interimLagMs: [150, 350],
  /** From `finalize` to the final text. */
  finalizeMs: [120, 220],
  /** From the end of a turn to the recogniser's own end-of-turn signal: median and spread. */
  endOfTurnMs: [650, 0.35],
  /** The same after a pause inside a turn, if that lasts so long. */
  falseEndOfTurnMs: [1_400, 0.35],
  /** How often a fragment is given a full stop. */
  fullStopShare: 0.5,
} as const

export type RecogniserEvent =
  | { readonly atMs: number; readonly type: 'interim'; readonly text: string }
  | {
      readonly atMs: number
      readonly type: 'final'
      readonly text: string
      readonly startMs: number
      readonly endMs: number
    }
  | { readonly atMs: number; readonly type: 'endOfTurn' }

/** What happens by itself, in order of time; `report` is asked for the words since the last final. */
export class RecogniserModel {
  readonly #pieces: readonly (readonly SpokenWord[])[]
  readonly #random: Random
  #reported = 0

  constructor(pieces: readonly (readonly SpokenWord[])[], random: Random) {
    this.#pieces = pieces
    this.#random = random
  }

  /** When new words are guessed, and when the recogniser ends the turn by itself. */
  schedule(): readonly { readonly atMs: number; readonly what: 'guess' | 'end' }[] {
    const [least, most] = ASSUMED.interimLagMs
    const guesses = this.#words.map(([, , endMs]) => ({
      atMs: endMs + this.#random.between(least, most),
      what: 'guess' as const,
    }))
    const ends = this.#pieces.flatMap((piece, index) => {
      const next = this.#pieces[index + 1]?.[0]?.[1] ?? Infinity
      const [median, spread] = next === Infinity ? ASSUMED.endOfTurnMs : ASSUMED.falseEndOfTurnMs
      const atMs = (piece.at(-1)?.[2] ?? 0) + this.#random.logNormal(median, spread)
      return atMs < next ? [{ atMs, what: 'end' as const }] : []
    })
    return [...guesses, ...ends].sort((one, other) => one.atMs - other.atMs)
  }

  finalizeMs(): number {
    const [least, most] = ASSUMED.finalizeMs
    return this.#random.between(least, most)
  }

  /** The words that are guessed by now, without punctuation; empty when there are no new ones. */
  guess(atMs: number): string {
    const [least] = ASSUMED.interimLagMs
    return this.#since(atMs - least)
      .map(([text]) => text.replaceAll(/[.,?!]/g, '').toLowerCase())
      .join(' ')
  }

  /** All words that ended by then, for good; null when there are none. */
  report(untilMs: number): { text: string; startMs: number; endMs: number } | null {
    const words = this.#since(untilMs)
    const [first, last] = [words[0], words.at(-1)]
    if (first === undefined || last === undefined) return null
    this.#reported += words.length
    const text = words.map(([word]) => word).join(' ')
    const isFragment = !/[.?!]$/.test(text)
    const stop = isFragment && this.#random.next() < ASSUMED.fullStopShare ? '.' : ''
    return { text: text + stop, startMs: first[1], endMs: last[2] }
  }

  get #words(): readonly SpokenWord[] {
    return this.#pieces.flat()
  }

  #since(untilMs: number): readonly SpokenWord[] {
    return this.#words.slice(this.#reported).filter(([, , endMs]) => endMs <= untilMs)
  }
}
