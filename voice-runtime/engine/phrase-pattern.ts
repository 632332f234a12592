/** The notation of `answer-phrases.ts` as regular expressions. */

import { KEY_NAMES } from './answer-phrases.ts'

const GAP = String.raw`(?:\S+ ){0,4}?`
const KEY = `(?:${KEY_NAMES.split(' ').join('|')}) `

/** Finds any of the phrases in plain text (`plainText`), on whole words. */
export function phrasePattern(phrases: readonly string[]): RegExp {
  if (phrases.length === 0) return /(?!)/g
  const choices = phrases.map((phrase) => phrase.split(' ').map(wordPattern).join(''))
  return new RegExp(`(?<= )(?:${choices.join('|')})`, 'g')
}

function wordPattern(word: string): string {
  if (word === '~') return GAP
  if (word === '#') return KEY
  return word.includes('/') ? `(?:${word.replaceAll('/', '|')}) ` : `${word} `
}

/** Lower case, no accents, no punctuation, one space around every word. */
export function plainText(text: string): string {
  const bare = text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f'\u2019]/g, '')
    .toLowerCase()
  return ` ${bare.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()} `
}
