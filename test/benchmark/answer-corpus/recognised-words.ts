import { Prng } from '#test/simulation/prng.ts'

import type { SpokenAt } from './opening-audio.ts'
import type { Opening } from './opening.ts'

export type Recognised =
  | { readonly atMs: number; readonly type: 'interimTranscript'; readonly text: string }
  | {
      readonly atMs: number
      readonly type: 'finalTranscript'
      readonly text: string
      readonly startedAtMs: number
      readonly endedAtMs: number
    }

/** Part of the words that is wrong, by noise: an assumption, on the pessimistic side for telephones. */
const WORD_ERROR_RATE = new Map([
  [null, 0.04],
  [20, 0.06],
  [10, 0.12],
  [5, 0.22],
])
/** A word appears in an interim text this long after it was spoken; texts come five times a second. */
const WORD_DELAY_MS = 300
const INTERIM_EVERY_MS = 200
/** This much silence makes what was said final. */
const FINAL_AFTER_MS = 700
const WRONG_WORDS = 'the and a to it is was for on that he you so there them or what know'.split(
  ' ',
)

/**
 * What a streaming recogniser would give for these words. There is none on a machine without a
 * network, so it is a model: true timing of the synthesis, and word errors by noise (half of them lost
 * words, four in ten wrong ones, one in ten made up).
 */
export function recognisedWords(
  opening: Opening,
  words: readonly SpokenAt[],
): readonly Recognised[] {
  const random = new Prng(opening.seed ^ 0x5eed)
  return segments(words).flatMap((segment) => {
    const heard = withErrors(segment, WORD_ERROR_RATE.get(opening.snrDb) ?? 0, random)
    const startedAtMs = segment[0]!.startMs
    const endedAtMs = segment.at(-1)!.endMs
    const final = {
      atMs: endedAtMs + FINAL_AFTER_MS,
      type: 'finalTranscript' as const,
      text: textOf(heard),
      startedAtMs,
      endedAtMs,
    }
    return final.text === '' ? [] : [...interims(heard, final.atMs), final]
  })
}

/** Cut where the speaker is silent for so long that a recogniser closes what it has. */
function segments(words: readonly SpokenAt[]): readonly (readonly SpokenAt[])[] {
  const found: SpokenAt[][] = []
  for (const word of words) {
    const last = found.at(-1)
    const isNew = last === undefined || word.startMs - last.at(-1)!.endMs >= FINAL_AFTER_MS
    if (isNew) found.push([word])
    else last.push(word)
  }
  return found
}

function withErrors(words: readonly SpokenAt[], rate: number, random: Prng): readonly SpokenAt[] {
  return words.flatMap((word) => {
    if (!random.chance(rate)) return [word]
    const kind = random.next()
    if (kind < 0.5) return []
    const wrong = { ...word, text: random.pick(WRONG_WORDS) }
    return kind < 0.9 ? [wrong] : [word, wrong]
  })
}

function interims(words: readonly SpokenAt[], untilMs: number): readonly Recognised[] {
  const found: Recognised[] = []
  const startMs = words[0]?.startMs ?? 0
  for (let atMs = startMs + INTERIM_EVERY_MS; atMs < untilMs; atMs += INTERIM_EVERY_MS) {
    const text = textOf(words.filter((word) => word.endMs + WORD_DELAY_MS <= atMs))
    const last = found.at(-1)
    if (text === '' || last?.text === text) continue
    found.push({ atMs, type: 'interimTranscript', text })
  }
  return found
}

function textOf(words: readonly SpokenAt[]): string {
  return words.map(({ text }) => text).join(' ')
}
