import type { SpokenWord } from './word-times.ts'

/** For a speech whose length is not known yet: about 15 characters a second. */
const MS_PER_CHARACTER = 65

/**
 * How much of a speech was heard, when it was cut after `heardMs`: whole words only, by the word
 * times of the voice, or in proportion to time when the voice gives none. `totalMs` is null while
 * the speech is not synthesised to its end.
 */
export function heardText(speech: {
  readonly text: string
  readonly words: readonly SpokenWord[]
  readonly heardMs: number
  readonly totalMs: number | null
}): string {
  const { text, words, heardMs, totalMs } = speech
  if (totalMs !== null && heardMs >= totalMs) return text
  if (words.length > 0) return upToLastWord(text, words, heardMs)
  const share = heardMs / (totalMs ?? text.length * MS_PER_CHARACTER)
  return wholeWords(text, Math.floor(text.length * Math.min(1, share)))
}

/** The text itself is cut, not the words joined, so that its punctuation is kept. */
function upToLastWord(text: string, words: readonly SpokenWord[], heardMs: number): string {
  let end = 0
  for (const word of words) {
    if (word.endMs > heardMs) break
    const found = text.indexOf(word.text, end)
    // A voice may name a word otherwise than it was written ("2" as "two"): skip one written word.
    end = found === -1 ? endOfNextWord(text, end) : found + word.text.length
  }
  return text.slice(0, end).trimEnd()
}

function endOfNextWord(text: string, from: number): number {
  const match = /\s*\S+/.exec(text.slice(from))
  return match === null ? text.length : from + match.index + match[0].length
}

function wholeWords(text: string, length: number): string {
  if (length >= text.length) return text
  const isWordEnd = /\s/.test(text[length] ?? '')
  const cut = isWordEnd ? text.slice(0, length) : text.slice(0, length).replace(/\S*$/, '')
  return cut.trimEnd()
}
