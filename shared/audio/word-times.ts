/** The words of a text with the time at which each has been spoken, guessed from its letters. */

/** A comma or a full stop takes as long as this many letters. */
const PAUSE_LETTERS = 2

export interface SpokenWord {
  readonly text: string
  /** ms from the start of the audio. */
  readonly endMs: number
}

/** Spreads `durationMs` over the words in proportion to their length; the last one ends with the audio. */
export function estimateWordTimes(text: string, durationMs: number): SpokenWord[] {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const weights = words.map(
    (word) => word.length + 1 + (/[,.;:?!]$/.test(word) ? PAUSE_LETTERS : 0),
  )
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let spoken = 0
  return words.map((word, index) => {
    spoken += weights[index]!
    return { text: word, endMs: Math.round((durationMs * spoken) / total) }
  })
}
