/** What a recogniser is told beforehand: the assistant's own context, and what its prompt adds (spec 2.1 `stt_context`). */

import type { SttContext } from './assistant.ts'

/** Recognisers take about 10,000 characters (reference/protocols-media.md 5); JSON takes some of them. */
const CONTEXT_CHARS_MAX = 8_000
const DERIVED_TERMS_MAX = 100
const TOPIC_CHARS_MAX = 300

/** Between two words: what follows is capitalised whether it is a name or not. */
const SENTENCE_BREAK = /[.!?:;\n*#•]/
/** A word with inner punctuation: `Parley`, `O'Brien`, `GPT-5`, `Dr`. */
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’&-]*/gu

/**
 * Names and other words of a filled-in prompt that a recogniser would not guess: words that are
 * capitalised inside a sentence, neighbours joined; and the prompt's first sentence as the topic.
 */
export function deriveSttContext(prompt: string): SttContext {
  const text = prompt.trim()
  const runs = namesIn(text)
  const names = new Set(runs.filter((run) => !run.isFirst).map((run) => run.text))
  const topic = /^.*?[.!?](?=\s|$)|^.*$/s.exec(text)?.[0].slice(0, TOPIC_CHARS_MAX) ?? ''
  return {
    general: topic === '' ? [] : [{ key: 'topic', value: topic }],
    terms: [...names].slice(0, DERIVED_TERMS_MAX),
  }
}

/** Runs of capitalised words; the first word of a sentence is a run of its own. */
function namesIn(text: string): { readonly text: string; readonly isFirst: boolean }[] {
  const runs: { text: string; isFirst: boolean }[] = []
  let isOpen = false
  let endedAt = -1
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const between = text.slice(Math.max(0, endedAt), index)
    const isFirst = endedAt < 0 || SENTENCE_BREAK.test(between)
    const last = runs.at(-1)
    if (!isName(word)) isOpen = false
    else if (isOpen && between === ' ' && last !== undefined) last.text += ` ${word}`
    else {
      runs.push({ text: word, isFirst })
      isOpen = !isFirst
    }
    endedAt = index + word.length
  }
  return runs.filter((run) => run.text.length > 1)
}

function isName(word: string): boolean {
  return /^\p{Lu}/u.test(word) && !/^I(['’].*)?$/.test(word)
}

/** The assistant's entries first and unchanged; of the derived ones those that are new and fit. */
export function mergeSttContext(own: SttContext | null, derived: SttContext): SttContext {
  let left = CONTEXT_CHARS_MAX
  const fits = (chars: number) => {
    const isFitting = chars <= left
    if (isFitting) left -= chars
    return isFitting
  }
  const isKnown = (terms: readonly string[], term: string) =>
    terms.some((known) => known.toLowerCase() === term.toLowerCase())
  const { general: ownGeneral, terms: ownTerms } = own ?? { general: [], terms: [] }
  const keys = new Set(ownGeneral.map(({ key }) => key))
  const newTerms = derived.terms.filter((term) => !isKnown(ownTerms, term))
  const newGeneral = derived.general.filter(({ key }) => !keys.has(key))
  const fitting = {
    general: ownGeneral.filter(({ key, value }) => fits(key.length + value.length)),
    terms: ownTerms.filter((term) => fits(term.length)),
  }
  return {
    general: [
      ...fitting.general,
      ...newGeneral.filter(({ key, value }) => fits(key.length + value.length)),
    ],
    terms: [...fitting.terms, ...newTerms.filter((term) => fits(term.length))],
  }
}
