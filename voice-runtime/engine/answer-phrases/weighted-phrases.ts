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
