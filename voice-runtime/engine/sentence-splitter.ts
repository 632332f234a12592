/**
 * Cuts a model's text into pieces for the voice while it is still being written. The result does not
 * depend on how the text was cut into deltas.
 */

import { ABBREVIATIONS, TITLES } from './abbreviations.ts'

export interface SplitText {
  readonly sentences: readonly string[]
  /** Not complete yet; comes before the next delta. */
  readonly rest: string
}

/** Shorter sentences join the next one: single words sound choppy. Never holds back the first. */
const MIN_SENTENCE_CHARS = 20
/** A sentence that does not end is cut here, at a space. */
const MAX_SENTENCE_CHARS = 240

type Boundary = 'yes' | 'no' | 'needsMore'

/** `isFirst`: nothing of this answer was said yet, so that the first sentence goes out at once. */
export function splitSentences(text: string, isFirst: boolean): SplitText {
  const sentences: string[] = []
  let rest = text.trimStart()
  for (;;) {
    const minChars = isFirst && sentences.length === 0 ? 1 : MIN_SENTENCE_CHARS
    const end = firstSentenceEnd(rest, minChars)
    if (end === null) return { sentences, rest }
    sentences.push(rest.slice(0, end).trim())
    rest = rest.slice(end).trimStart()
  }
}

function firstSentenceEnd(text: string, minChars: number): number | null {
  const limit = Math.min(text.length, MAX_SENTENCE_CHARS)
  for (let at = 0; at < limit; at += 1) {
    const boundary = boundaryAfter(text, at)
    if (boundary === 'needsMore') return null
    if (boundary === 'yes' && text.slice(0, at + 1).trim().length >= minChars) return at + 1
  }
  if (text.length <= MAX_SENTENCE_CHARS) return null
  const space = text.lastIndexOf(' ', MAX_SENTENCE_CHARS)
  return space > 0 ? space : wholeCharacters(text, MAX_SENTENCE_CHARS)
}

/** Never between the halves of a surrogate pair. */
function wholeCharacters(text: string, length: number): number {
  const code = text.charCodeAt(length - 1)
  return code >= 0xd800 && code <= 0xdbff ? length - 1 : length
}

/** Whether a sentence ends with the character at `at`. */
function boundaryAfter(text: string, at: number): Boundary {
  const char = text.charAt(at)
  if (/[。！？]/.test(char)) return 'yes'
  if (char === '\n') return 'yes'
  if (!/[.!?…)"'”’\]]/.test(char)) return 'no'
  const ending = /[.!?…]["'”’)\]]*$/.exec(text.slice(Math.max(0, at - 8), at + 1))
  if (ending === null) return 'no'
  if (at + 1 >= text.length) return 'needsMore'
  if (!/\s/.test(text.charAt(at + 1))) return 'no'
  if (!ending[0].startsWith('.')) return 'yes'
  return boundaryAfterDot(text, at + 1 - ending[0].length)
}

/** A dot followed by a space: the end of a sentence, of an abbreviation, or of a number in a list. */
function boundaryAfterDot(text: string, dot: number): Boundary {
  const word = /\S*$/.exec(text.slice(0, dot))?.[0].replace(/^["'“‘([]+/, '') ?? ''
  const isListNumber = /^\d{1,2}$/.test(word) && text.slice(0, dot).trim() === word
  if (isListNumber || TITLES.has(word.toLowerCase()) || /^\p{Lu}$/u.test(word)) return 'no'
  if (!ABBREVIATIONS.has(word.toLowerCase())) return 'yes'
  const next = /\S/.exec(text.slice(dot + 1))?.[0]
  if (next === undefined) return 'needsMore'
  return /[\p{Lu}\p{N}]/u.test(next) ? 'yes' : 'no'
}
