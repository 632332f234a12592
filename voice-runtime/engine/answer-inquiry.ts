/** A model is asked who has answered, when timing and words are in doubt. */

import type { AttemptResult } from '#shared/domain/call-attempt/attempt.ts'
import type { ChatMessage } from '#shared/domain/chat.ts'

import type { ConversationEvent } from './conversation-event.ts'
import type { ConversationState, Rule } from './conversation-state.ts'
import { change, inOrder, nothing } from './step.ts'
import { guessedText } from './user-turn.ts'

const QUESTION =
  'An outbound phone call has just been answered. You read what was heard since then, as a speech ' +
  'recogniser wrote it; words may be wrong and the end may be missing. Who has answered? Reply with ' +
  'one word: human; voicemail (the recorded greeting of a mailbox or an answering machine); menu (a ' +
  'phone menu or a waiting queue); screening (an assistant that asks for name and reason before it ' +
  'puts a call through); unknown.'

const ANSWERS: readonly (readonly [RegExp, AttemptResult])[] = [
  [/\bscreening\b/i, 'handset-screening-filter'],
  [/\bvoicemail\b/i, 'voicemail'],
  [/\bmenu\b/i, 'IVR'],
  [/\bhuman\b/i, 'human'],
]

/** Asks once for each greeting; its answer becomes `greeting.opinion`. */
export const inquire: Rule = (state) => {
  if (state.greeting.opinion !== null) return nothing(state)
  const id = `who-${state.llmCount + 1}`
  const messages: readonly ChatMessage[] = [
    { role: 'system', content: QUESTION },
    { role: 'user', content: guessedText(state.user) },
  ]
  return change(
    state,
    {
      inquiry: { id, text: '' },
      llmCount: state.llmCount + 1,
      greeting: { ...state.greeting, opinion: 'asked' },
    },
    { type: 'startLlm', requestId: id, messages, tools: [] },
  )
}

/** The answer is not needed any more. */
export const cancelInquiry: Rule = (state) => {
  const { inquiry } = state
  if (inquiry === null) return nothing(state)
  return change(state, { inquiry: null }, { type: 'cancelLlm', requestId: inquiry.id })
}

type Answer = ConversationEvent & { readonly type: 'llmText' | 'llmDone' | 'llmFailed' }

/** The event as part of the answer to the inquiry; null when it is none. */
export function inquiryAnswer(state: ConversationState, event: ConversationEvent): Answer | null {
  const isAnswer =
    event.type === 'llmText' || event.type === 'llmDone' || event.type === 'llmFailed'
  return isAnswer && event.requestId === state.inquiry?.id ? event : null
}

/** `then` decides anew, with the opinion. */
export function hearInquiryAnswer(event: Answer, then: Rule): Rule {
  return (state) => {
    const { inquiry } = state
    if (inquiry === null) return nothing(state)
    if (event.type === 'llmText') {
      return change(state, { inquiry: { ...inquiry, text: inquiry.text + event.text } })
    }
    const opinion = event.type === 'llmFailed' ? 'unknown' : opinionIn(inquiry.text)
    return inOrder({ ...state, inquiry: null, greeting: { ...state.greeting, opinion } }, then)
  }
}

function opinionIn(text: string): AttemptResult {
  return ANSWERS.find(([pattern]) => pattern.test(text))?.[1] ?? 'unknown'
}
