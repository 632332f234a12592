/** Turn-taking situations with what is right in them; made by `make-corpus.ts`, stored in corpus.jsonl. */

export const KINDS = [
  'short-answer',
  'question',
  'statement',
  'pause',
  'hesitation',
  'number',
  'continued-answer',
  'backchannel',
  'interruption',
  'noise',
] as const
export type Kind = (typeof KINDS)[number]

/** A word of the callee; ms from the start of the situation. */
export type SpokenWord = readonly [text: string, startMs: number, endMs: number]

export interface Situation {
  readonly kind: Kind
  /** Situations of one caller follow each other in one call. */
  readonly caller: number
  /** What the agent says before it, or, for the last three kinds, while it happens. */
  readonly agent: string
  /** With its punctuation; the pauses lie between the pieces. */
  readonly pieces: readonly (readonly SpokenWord[])[]
  /** When the callee's turn is really over; of the last three kinds, when the sound is. */
  readonly endMs: number
  /** What the speech detector made of each 32 ms: a letter, `a` for silence to `z` for speech. */
  readonly detected: string
  /** Last three kinds: whether the agent must give way. */
  readonly mustStop: boolean
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

export function letterOf(probability: number): string {
  return LETTERS[Math.round(probability * (LETTERS.length - 1))]!
}

export function probabilityOf(letter: string): number {
  return LETTERS.indexOf(letter) / (LETTERS.length - 1)
}

/** Over the agent, or after it. */
export function isOverlap(situation: Situation): boolean {
  return ['backchannel', 'interruption', 'noise'].includes(situation.kind)
}
