import type { Outcome } from '#shared/domain/assistant.ts'
import type { ChatMessage, JsonSchema } from '#shared/domain/chat.ts'
import { SPEAKER_LABELS } from '#shared/domain/conclusion/transcript-text.ts'

import { INTENTS, numberIn, plainWords, whenIn, yesOrNo } from './simulated-phrases.ts'
import { questionFor, wordsOf } from './simulated-question.ts'

/** One thing that the agent said, and all that the user answered to it. */
interface Exchange {
  readonly said: string
  readonly answer: string
}

/** Fills a JSON Schema by rules from the transcript found in the messages (`transcriptText`). */
export function simulatedExtraction(messages: readonly ChatMessage[], schema: JsonSchema): unknown {
  return fill('', schema, exchangesIn(messages))
}

function exchangesIn(messages: readonly ChatMessage[]): readonly Exchange[] {
  const line = new RegExp(`^(${Object.values(SPEAKER_LABELS).join('|')}): (.*)$`)
  const exchanges: Exchange[] = [{ said: '', answer: '' }]
  for (const text of messages.flatMap((message) => message.content.split('\n'))) {
    const [, speaker, words = ''] = line.exec(text) ?? []
    if (speaker === SPEAKER_LABELS.assistant) exchanges.push({ said: words, answer: '' })
    if (speaker !== SPEAKER_LABELS.user) continue
    const { said, answer } = exchanges.pop() ?? { said: '', answer: '' }
    exchanges.push({ said, answer: `${answer} ${words}`.trim() })
  }
  return exchanges
}

function fill(name: string, schema: JsonSchema, exchanges: readonly Exchange[]): unknown {
  const properties = schema['properties']
  if (typeof properties === 'object' && properties !== null) {
    const entries = Object.entries(properties as Readonly<Record<string, JsonSchema>>)
    return Object.fromEntries(
      entries.map(([key, value]) => [key, fill(key, value, exchanges)] as const),
    )
  }
  if (name === 'outcome') return outcomeOf(exchanges)
  if (name === 'outcome_summary') return SUMMARIES[outcomeOf(exchanges) ?? 'null']
  return fillField(name, schema, exchanges)
}

function fillField(name: string, schema: JsonSchema, exchanges: readonly Exchange[]): unknown {
  const [type] = [schema['type']].flat()
  const options = [schema['enum'] ?? []].flat().filter((option) => typeof option === 'string')
  const answer = answerTo(name, String(type), schema, options, exchanges)
  if (options.length > 0) {
    const everything = exchanges.map((exchange) => exchange.answer).join(' ')
    return optionIn(answer ?? '', options) ?? optionIn(everything, options)
  }
  if (answer === null) return null
  if (type === 'boolean') return yesOrNo(answer)
  if (type === 'number') return numberIn(answer)
  if (schema['format'] !== undefined)
    return /\d{4}-\d\d-\d\d(T[\d:.Z+-]+)?/.exec(answer)?.[0] ?? null
  return whenIn(answer) ?? answer
}

/** The answer to the question for this field, or to the one that shares most words with its name. */
function answerTo(
  name: string,
  type: string,
  schema: JsonSchema,
  options: readonly string[],
  exchanges: readonly Exchange[],
): string | null {
  const description = typeof schema['description'] === 'string' ? schema['description'] : ''
  const kind = options.length > 0 ? 'enum' : type
  const question = plainWords(questionFor({ name, type: kind, description, options }))
  const asked = exchanges.findLast((exchange) => plainWords(exchange.said).includes(question))
  if (asked !== undefined) return asked.answer || null

  const words = wordsOf(name).filter((word) => word.length > 2)
  const shared = ({ said }: Exchange) => {
    const spoken = new Set(plainWords(said).split(' '))
    return words.filter((word) => spoken.has(word)).length
  }
  const best = exchanges.toSorted((a, b) => shared(b) - shared(a))[0]
  return best && shared(best) > 0 ? best.answer || null : null
}

function optionIn(text: string, options: readonly string[]): string | null {
  const words = ` ${plainWords(text)} `
  return options.find((option) => words.includes(` ${plainWords(option)} `)) ?? null
}

/** Having a moment is not yet an interest, nor an answer to what the call is about. */
const QUESTION = /(?<!\b(moment|minute|second))\?/

function outcomeOf(exchanges: readonly Exchange[]): Outcome | null {
  const heard = exchanges.map((exchange) => exchange.answer).join(' ')
  if (INTENTS.never.test(heard) || INTENTS.notInterested.test(heard)) return 'not_interested'
  if (INTENTS.callLater.test(heard)) return 'requested_callback_later'
  const answered = exchanges.filter(({ said, answer }) => QUESTION.test(said) && answer !== '')
  if (answered.length === 0) return null
  return answered.some(({ answer }) => yesOrNo(answer) === true) ? 'interested' : 'completed'
}

const SUMMARIES: Readonly<Record<Outcome | 'null', string>> = {
  interested: 'The user agreed to what the agent offered.',
  not_interested: 'The user declined.',
  requested_callback_later: 'The user asked to be called back later.',
  completed: 'The user talked with the agent until the end.',
  null: 'The call ended before the user had answered anything.',
}
