import type { ChatMessage } from '#shared/domain/chat.ts'

import { INTENTS, plainWords, whenIn, yesOrNo } from './simulated-phrases.ts'
import { questionsIn } from './simulated-question.ts'

export interface SimulatedReply {
  readonly text: string
  readonly endsCall: boolean
}

interface Dialogue {
  readonly prompt: string
  /** A remark of the service about the moment, in the place of words of the callee. */
  readonly note: string | null
  /** What the callee said since the agent last spoke. */
  readonly heard: string
  readonly said: readonly string[]
}

const MAX_AGENT_TURNS = 24
const ANYTHING_ELSE = 'Is there anything else I can do for you?'
const WHEN_TO_CALL = 'When would be a good time to call you back?'
const A_MOMENT = 'Do you have a moment?'
const STILL_THERE = 'Are you still there?'
const TAKE_YOUR_TIME = 'Of course. Take your time, and just tell me when you are ready.'

/** What a polite agent would say next: the same for the same messages, always. */
export function simulatedReply(messages: readonly ChatMessage[]): SimulatedReply {
  const last = messages.at(-1)
  if (last?.role === 'tool') return say(reportOf(last.content))
  const dialogue = readDialogue(messages)
  const { heard, said, note } = dialogue
  if (isWhoQuestion(messages)) return say(whoAnswers(heard))
  if (note !== null) {
    if (/silen|said nothing|quiet|no answer|still there|not (said|answered|spoken)/i.test(note)) {
      return say(STILL_THERE)
    }
    if (/screens calls/i.test(note)) return say(introduction(dialogue))
    if (/good ?bye|end the call|end of the call|time is up|hang up/i.test(note)) return farewell()
  }
  if (said.length === 0) return say(opening(dialogue))
  if (said.length >= MAX_AGENT_TURNS) return farewell()
  return endingReply(heard, said) ?? say(continuation(dialogue))
}

function readDialogue(messages: readonly ChatMessage[]): Dialogue {
  const lead = messages.findIndex((message) => message.role !== 'system')
  const opening = lead < 0 ? messages : messages.slice(0, lead)
  const lastSaid = messages.findLastIndex((message) => message.role === 'assistant')
  const sinceThen = messages
    .slice(lastSaid + 1)
    .filter((message) => message.role === 'user')
    .map((message) => message.content.trim())
  const last = messages.at(-1)
  const isNote = last && ((last.role === 'system' && lead >= 0) || isBracketed(last))
  return {
    prompt: opening.map((message) => message.content).join('\n'),
    note: isNote ? last.content : null,
    heard: sinceThen.filter((text) => !/^[[(].*[\])]$/s.test(text)).join(' '),
    said: messages
      .filter((message) => message.role === 'assistant' && message.content.trim() !== '')
      .map((message) => message.content),
  }
}

function isBracketed(message: ChatMessage): boolean {
  return message.role === 'user' && /^\s*[[(].*[\])]\s*$/s.test(message.content)
}

function opening(dialogue: Dialogue): string {
  const orders = `${dialogue.prompt}\n${dialogue.note ?? ''}`
  const quoted = /\b(?:say|begin|open|start|greet)\b[^"\n]*"([^"\n]+)"/i.exec(orders)?.[1]
  const spoken = /\binstruction: *((?:hello|hi|hey|good (?:morning|day|evening))\b.+)/i.exec(orders)
  return quoted ?? spoken?.[1] ?? `Hello, this is ${whoIn(dialogue.prompt)}. ${A_MOMENT}`
}

function whoIn(prompt: string): string {
  const who = /\bYou are ([^.!?\n]{2,80})/i.exec(prompt)?.[1]?.trim()
  return who === undefined || /^(not|now|to|\w+ing)\b/i.test(who) ? 'your assistant' : who
}

/** What a tool answered, in a sentence. */
function reportOf(output: string): string {
  const short = output.replaceAll(/\s+/g, ' ').trim().slice(0, 120)
  return short === '' ? '' : `I have an answer: ${short}`
}

/** The service asks who has answered the phone. */
function isWhoQuestion(messages: readonly ChatMessage[]): boolean {
  return /who has answered\?/i.test(messages[0]?.content ?? '')
}

function whoAnswers(heard: string): string {
  if (/\b(name|reason)\b.*\b(calling|call)\b/i.test(heard)) return 'screening'
  if (/\b(message|voicemail|mailbox|beep|tone)\b/i.test(heard)) return 'voicemail'
  return /\b(press|option|menu|queue)\b/i.test(heard) ? 'menu' : 'human'
}

function introduction({ prompt }: Dialogue): string {
  return `This is ${whoIn(prompt)}, with a short call for the person at this number.`
}

/** Replies to a callee who steers towards the end; null to go on with the conversation. */
function endingReply(heard: string, said: readonly string[]): SimulatedReply | null {
  const lastSaid = said.at(-1) ?? ''
  if (INTENTS.never.test(heard)) return farewell('I understand. We will not call you again.')
  const hasNoTime = lastSaid.includes(A_MOMENT) && yesOrNo(heard) === false
  if (hasNoTime || lastSaid.includes(WHEN_TO_CALL) || INTENTS.callLater.test(heard)) {
    const when = whenIn(heard)
    if (when === null && !lastSaid.includes(WHEN_TO_CALL)) return say(`Of course. ${WHEN_TO_CALL}`)
    return farewell(`Thank you. I will call you back ${when?.toLowerCase() ?? 'then'}.`)
  }
  if (INTENTS.notInterested.test(heard)) return farewell('I understand.')
  if (INTENTS.goodbye.test(heard)) return farewell()
  if (!lastSaid.includes(ANYTHING_ELSE)) return null
  return yesOrNo(heard) === false ? farewell() : farewell('Of course, I will pass that on.')
}

function continuation({ prompt, heard, said }: Dialogue): string {
  if (INTENTS.wait.test(heard) && !heard.includes('?')) return TAKE_YOUR_TIME
  const questions = questionsIn(prompt)
  const next = questions.find((question) => !isIn(said, question)) ?? ANYTHING_ELSE
  const turns = said.filter((text) => text !== STILL_THERE)
  const open = questions.find((question) => isIn(turns.slice(-1), question))
  const wasRepeated = open !== undefined && isIn(turns.slice(-2, -1), open)
  const repeatOrNext = open === undefined || wasRepeated ? next : open

  if (said.at(-1) === STILL_THERE) return repeatOrNext
  if (INTENTS.greeting.test(heard)) return `${acknowledgement(heard)} ${repeatOrNext}`.trim()
  if (INTENTS.who.test(heard)) return `Of course. This is ${whoIn(prompt)}. ${repeatOrNext}`
  if (heard.trim().endsWith('?')) return `Of course. I will find that out. ${repeatOrNext}`
  return `${acknowledgement(heard)} ${next}`.trim()
}

function acknowledgement(heard: string): string {
  if (heard === '') return ''
  const answer = yesOrNo(heard)
  if (answer === null) return INTENTS.greeting.test(heard) ? '' : 'Thank you.'
  return answer ? 'Great.' : 'All right.'
}

function isIn(said: readonly string[], question: string): boolean {
  return plainWords(said.join(' ')).includes(plainWords(question))
}

function say(text: string): SimulatedReply {
  return { text, endsCall: false }
}

function farewell(before = ''): SimulatedReply {
  return { text: `${before} Thank you for your time. Goodbye.`.trim(), endsCall: true }
}
