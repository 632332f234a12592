/** Who the words of a greeting belong to, by the phrases of `answer-phrases.ts`. */

import { ANSWER_PHRASES } from './answer-phrases.ts'
import type { AnswerPhrases, WeightedPhrases } from './answer-phrases/weighted-phrases.ts'
import { phrasePattern, plainText } from './phrase-pattern.ts'

/** Machines, in the order in which they win a tie: a screener's text holds a mailbox's words, too. */
const MACHINES = ['screening', 'voicemail', 'menu'] as const
export type Machine = (typeof MACHINES)[number]

export interface AnswerReading {
  /** Null: the words decide nothing. */
  readonly machine: Machine | null
  /** The words point to a machine, but not clearly. */
  readonly isSuspicious: boolean
  /** Only a person says this. */
  readonly isPerson: boolean
  /** The caller is to wait. */
  readonly isHold: boolean
}

const WEIGHTS: readonly (readonly [keyof WeightedPhrases, number])[] = [
  ['sure', 3],
  ['likely', 2],
  ['cues', 1],
]
const DECISIVE = 3
const SUSPICIOUS = 1
/** What a person's phrase takes off the evidence for a machine. */
const PERSON_WEIGHT = 2

type Patterns<Phrases> = {
  readonly [Key in keyof Phrases]: Phrases[Key] extends readonly string[]
    ? RegExp
    : Patterns<Phrases[Key]>
}

const PATTERNS: readonly Patterns<AnswerPhrases>[] = ANSWER_PHRASES.map(patternsOfLanguage)

function patternsOfLanguage(phrases: AnswerPhrases): Patterns<AnswerPhrases> {
  const weighted = ({ sure, likely, cues }: WeightedPhrases) => ({
    sure: phrasePattern(sure),
    likely: phrasePattern(likely),
    cues: phrasePattern(cues),
  })
  return {
    screening: weighted(phrases.screening),
    menu: weighted(phrases.menu),
    voicemail: weighted(phrases.voicemail),
    person: phrasePattern(phrases.person),
    either: phrasePattern(phrases.either),
    hold: phrasePattern(phrases.hold),
  }
}

/** Reads everything that was recognised so far; half a greeting may be clear enough. */
export function readAnswer(text: string): AnswerReading {
  const plain = plainText(text)
  const readings = PATTERNS.map((patterns) => readIn(patterns, plain))
  const strongest = readings.reduce((a, b) => (b.score > a.score ? b : a))
  return {
    machine: strongest.score >= DECISIVE ? strongest.machine : null,
    isSuspicious: strongest.score >= SUSPICIOUS,
    isPerson: readings.some(({ isPerson }) => isPerson),
    isHold: readings.some(({ isHold }) => isHold),
  }
}

function readIn(patterns: Patterns<AnswerPhrases>, plain: string) {
  const either = takeOut(patterns.either, plain)
  const person = takeOut(patterns.person, either.rest)
  const isPerson = person.count > 0
  const scores = MACHINES.map((machine) => ({
    machine,
    score: scoreOf(patterns[machine], person.rest) - (isPerson ? PERSON_WEIGHT : 0),
  }))
  const best = scores.reduce((a, b) => (b.score > a.score ? b : a))
  return { ...best, isPerson, isHold: takeOut(patterns.hold, plain).count > 0 }
}

/** No word counts twice. */
function scoreOf(phrases: Patterns<WeightedPhrases>, plain: string): number {
  let rest = plain
  let score = 0
  for (const [kind, weight] of WEIGHTS) {
    const found = takeOut(phrases[kind], rest)
    rest = found.rest
    score += found.count * weight
  }
  return score
}

/** How many different phrases are in the text, and the text without them. */
function takeOut(pattern: RegExp, text: string): { readonly count: number; readonly rest: string } {
  const found = new Set<string>()
  const rest = text.replace(pattern, (match) => {
    found.add(match)
    return '| '
  })
  return { count: found.size, rest }
}
