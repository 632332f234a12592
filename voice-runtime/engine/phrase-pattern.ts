/** The notation of `answer-phrases.ts` as regular expressions. */

import { KEY_NAMES } from './answer-phrases.ts'

const GAP = String.raw`(?:\S+ ){0,4}?`
const KEY = `(?:${KEY_NAMES.split(' ').join('|')}) `

/** Matches plain text (`plainText`) on whole words. */
export function phrasePattern(phrase: string): RegExp {
  const words = phrase.split(' ').map((word) => {
    if (word === '~') return GAP
    return word === '#' ? KEY : `(?:${word.replaceAll('/', '|')}) `
  })
  return new RegExp(`(?<= )${words.join('')}`, 'g')
}

/** Lower case, no accents, no punctuation, one space around every word. */
export function plainText(text: string): string {
  const bare = text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f'\u2019]/g, '')
    .toLowerCase()
  return ` ${bare.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()} `
}
