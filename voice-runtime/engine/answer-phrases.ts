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
import type { AnswerPhrases } from './answer-phrases/weighted-phrases.ts'

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
