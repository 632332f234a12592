/** What a model does with the FAQ of its assistant: looks answers up, and keeps questions that have none. */

import type { FaqItem } from './assistant.ts'
import type { ToolDefinition } from './chat.ts'

const QUESTION = {
  type: 'object',
  properties: { question: { type: 'string', description: 'The question, complete in itself.' } },
  required: ['question'],
}

export const LOOK_UP_FAQ_TOOL: ToolDefinition = {
  name: 'look_up_faq',
  description: 'Finds answers to a question that your instructions do not answer.',
  parameters: QUESTION,
}

export const LEAVE_QUESTION_TOOL: ToolDefinition = {
  name: 'leave_question',
  description: 'Keeps a question that nothing you know answers, for a colleague to answer later.',
  parameters: QUESTION,
}

export const FAQ_TOOLS = [LOOK_UP_FAQ_TOOL, LEAVE_QUESTION_TOOL] as const

/** So many are offered to the model, which chooses. */
const ANSWERS_MAX = 5
/** Share of the question's weight that an item must have to be offered. */
const FIT_MIN = 0.35
/** Most words that no item has are those that any question has. */
const UNKNOWN_WORD_WEIGHT = 0.5
/** Open questions beyond this are not kept: somebody has to read them. */
const OPEN_QUESTIONS_MAX = 100
const QUESTION_LENGTH_MAX = 500
/** Endings differ within a word's family, beginnings do not. */
const STEM_LENGTH = 5

/**
 * Items with an answer that have words of the question, best first. A word counts the more, the fewer
 * items have it; what stands in the item's own question counts twice.
 */
export function findFaqAnswers(items: readonly FaqItem[], question: string): FaqItem[] {
  const answered = items.filter(({ needsHumanAnswer }) => !needsHumanAnswer)
  const texts = answered.map((item) => ({
    item,
    question: stemsOf(item.question),
    answer: stemsOf(item.answer),
  }))
  const asked = [...stemsOf(question)]
  const weights = asked.map((stem) => {
    const having = texts.filter((text) => text.question.has(stem) || text.answer.has(stem))
    const rarity = Math.log(1 + texts.length / (1 + having.length))
    return having.length === 0 ? UNKNOWN_WORD_WEIGHT * rarity : rarity
  })
  const most = weights.reduce((sum, weight) => sum + weight, 0)
  return texts
    .map((text) => {
      const score = asked.reduce((sum, stem, index) => {
        const share = text.question.has(stem) ? 1 : text.answer.has(stem) ? 0.5 : 0
        return sum + share * weights[index]!
      }, 0)
      return { item: text.item, fit: most === 0 ? 0 : score / most }
    })
    .filter(({ fit }) => fit >= FIT_MIN)
    .toSorted((a, b) => b.fit - a.fit)
    .slice(0, ANSWERS_MAX)
    .map(({ item }) => item)
}

/** The items with a question that waits for an answer; null when it is known already, or too many wait. */
export function withOpenQuestion(
  items: readonly FaqItem[],
  open: { readonly id: string; readonly question: string },
): FaqItem[] | null {
  const question = open.question.trim().slice(0, QUESTION_LENGTH_MAX)
  const isSame = (item: FaqItem) => plain(item.question) === plain(question)
  const waiting = items.filter(({ needsHumanAnswer }) => needsHumanAnswer)
  if (question === '' || items.some(isSame) || waiting.length >= OPEN_QUESTIONS_MAX) return null
  return [...items, { id: open.id, question, answer: '', needsHumanAnswer: true, source: 'ai' }]
}

function stemsOf(text: string): ReadonlySet<string> {
  return new Set(
    plain(text)
      .split(' ')
      .map((word) => word.slice(0, STEM_LENGTH)),
  )
}

/** Lower case without accents and punctuation, with single spaces. */
function plain(text: string): string {
  const words = text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
  return (words ?? []).join(' ')
}
