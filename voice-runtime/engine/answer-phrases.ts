/**
 * What is said when a call is answered, by whom, as data per language. Written from the greetings of
 * `test/benchmark/answer-corpus/rules-half.ts`; the other half of that corpus was not used.
 */

import { DUTCH } from './answer-phrases/dutch.ts'
import { ENGLISH } from './answer-phrases/english.ts'
import { FRENCH } from './answer-phrases/french.ts'
import { GERMAN } from './answer-phrases/german.ts'
import { ITALIAN } from './answer-phrases/italian.ts'
import { PORTUGUESE } from './answer-phrases/portuguese.ts'
import { SPANISH } from './answer-phrases/spanish.ts'

/**
 * Phrases in lower case, without accents, apostrophes and punctuation. `a/b` is a choice of words, `~`
 * up to four words of any kind, `#` the name of a key.
 */
export interface AnswerPhrases {
  readonly screening: WeightedPhrases
  readonly menu: WeightedPhrases
  readonly voicemail: WeightedPhrases
  /** Said by people. Taken out of the text before a machine is looked for. */
  readonly person: readonly string[]
  /** Said by machines of both kinds, and taken out of the text, too. */
  readonly either: readonly string[]
  /** Somebody wants the caller to wait. */
  readonly hold: readonly string[]
}

/** `sure` decides alone; `likely` needs a cue beside it, and cues alone three. */
export interface WeightedPhrases {
  readonly sure: readonly string[]
  readonly likely: readonly string[]
  readonly cues: readonly string[]
}

export const ANSWER_PHRASES: readonly AnswerPhrases[] = [
  ENGLISH,
  GERMAN,
  FRENCH,
  SPANISH,
  ITALIAN,
  PORTUGUESE,
  DUTCH,
]

/** What `#` stands for, in all languages. */
export const KEY_NAMES =
  'zero one two three four five six seven eight nine star pound hash 0 1 2 3 4 5 6 7 8 9 ' +
  'null eins zwei drei vier funf sechs sieben acht neun raute stern ' +
  'un deux trois quatre cinq sept huit neuf diese etoile ' +
  'cero uno dos tres cuatro cinco seis siete ocho nueve almohadilla asterisco ' +
  'due tre quattro cinque sei sette otto nove cancelletto ' +
  'um dois quatro sete oito jogo velha ' +
  'nul een twee drie vijf zes zeven negen hekje sterretje'
