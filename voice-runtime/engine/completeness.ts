/** Whether what somebody has said so far sounds finished, from the words alone. */

import { TURN_WORDS } from './turn-words.ts'
import type { TurnWords } from './turn-words.ts'

/**
 * `open`: more must come ("I would like to"). `closed`: nothing is missing, and nobody would expect
 * more ("Yes, please."). `unclear`: may be either.
 */
export type Completeness = 'open' | 'unclear' | 'closed'

/** Digits of the shortest number that is worth asking for. */
const NUMBER_DIGITS = 8
const QUESTION_WORDS_MIN = 4
const DIGIT_WORDS = new Set(
  'zero oh one two three four five six seven eight nine double hundred thousand'.split(' '),
)

/** `question`: what the agent said last. `language`: ISO 639-1. */
export function completenessOf(heard: {
  readonly text: string
  readonly question: string
  readonly language: string
}): Completeness {
  const known = TURN_WORDS[heard.language]
  const text = heard.text.trim()
  if (known === undefined || text === '') return 'unclear'
  if (/(?:[,;:–-]|\.\.\.|…)$/.test(text)) return 'open'
  const said = wordsOf(text)
  const last = said.at(-1)
  if (last === undefined) return 'unclear'
  if (said.every((word) => known.answers.has(word))) return 'closed'
  if (isClosing(said, known) || /[?!]$/.test(text)) return 'closed'
  if (known.open.has(last) || isNumberOpen(said, heard.question, known)) return 'open'
  if (isQuestion(said, known)) return 'closed'
  if (known.wanting.has(last)) return 'open'
  return 'unclear'
}

/** The same words, whatever their punctuation and capitals. */
export function haveSameWords(one: string, other: string): boolean {
  return wordsOf(one).join(' ') === wordsOf(other).join(' ')
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'-]*/gu) ?? []
  )
}

function isQuestion(said: readonly string[], known: TurnWords): boolean {
  return said.length >= QUESTION_WORDS_MIN && known.questions.has(said[0] ?? '')
}

function isClosing(said: readonly string[], known: TurnWords): boolean {
  const end = ` ${said.join(' ')}`
  return known.closing.some((phrase) => end.endsWith(` ${phrase}`)) || isTime(said)
}

/** "at three", "at half past ten". */
function isTime(said: readonly string[]): boolean {
  const last = said.at(-1) ?? ''
  return (
    /^\d{1,2}(?:\d{2})?$/.test(last) && ['at', 'um', 'à', 'alle', 'om'].includes(said.at(-2) ?? '')
  )
}

/** Whoever reads out a number pauses between its groups. */
function isNumberOpen(said: readonly string[], question: string, known: TurnWords): boolean {
  if (!isDigits(said.at(-1) ?? '')) return false
  if (!wordsOf(question).some((word) => known.numbers.has(word))) return false
  const digits = said.filter(isDigits).join('').replaceAll(/\D/g, '').length
  const spoken = said.filter((word) => DIGIT_WORDS.has(word)).length
  return digits + spoken < NUMBER_DIGITS
}

function isDigits(word: string): boolean {
  return /^[\d-]+$/.test(word) || DIGIT_WORDS.has(word)
}
