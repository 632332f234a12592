/** What the conversation makes of the evidence about who answered. */

import type { AttemptResult } from '#shared/domain/call-attempt/attempt.ts'

import type { AnswerEvidence } from './answer-verdict.ts'
import type { ConversationState, Phase, Rule } from './conversation-state.ts'
import { readAnswer } from './read-answer.ts'
import type { Machine } from './read-answer.ts'
import { change, nothing } from './step.ts'
import { guessedText } from './user-turn.ts'

/** A machine may still show itself this long after the conversation began. */
const LATE_VERDICT_MS = 10_000

export function setResult(result: AttemptResult): Rule {
  return (state) =>
    state.result === result
      ? nothing(state)
      : change(state, { result }, { type: 'setResult', result })
}

/** The agent and whoever answered are in conversation. */
export function isTalking({ phase }: ConversationState): boolean {
  return TALK.has(phase)
}
const TALK: ReadonlySet<Phase> = new Set([
  'opening',
  'listening',
  'thinking',
  'speaking',
  'realtime',
])

/** Whoever says words, and not a machine's, is a person. */
export const noteWords: Rule = (state) => {
  const isOpen = state.result === 'unknown' && isTalking(state)
  return isOpen ? setResult('human')(state) : nothing(state)
}

/** Whoever calls us is no answering machine. */
export function evidenceOf(state: ConversationState, isToneHeard: boolean): AnswerEvidence {
  const { greeting, hearing, atMs } = state
  const isOutbound = state.settings.direction === 'outbound'
  return {
    isSpeech: hearing.isSpeech,
    speechMs: greeting.speechMs + (hearing.isSpeech ? atMs - hearing.startedAtMs : 0),
    silenceMs: hearing.lastAtMs === null ? null : atMs - hearing.lastAtMs,
    waitedMs: atMs - greeting.sinceMs,
    text: isOutbound ? guessedText(state.user) : '',
    isToneHeard: isOutbound && isToneHeard,
    carrier: state.carrier,
    opinion: greeting.opinion,
  }
}

/** Whether a tone, or what is said, may still tell that a machine has answered. */
export function canBeMachine(state: ConversationState): boolean {
  const { openedAtMs, atMs, phase, settings } = state
  if (settings.direction !== 'outbound' || phase === 'closing' || phase === 'ended') return false
  return openedAtMs === null || phase === 'machine' || atMs - openedAtMs <= LATE_VERDICT_MS
}

/** The machine that the one taken for a person turns out to be; null while it does not. */
export function lateMachine(state: ConversationState, isToneHeard: boolean): Machine | null {
  if (state.openedAtMs === null || !canBeMachine(state)) return null
  const hasWords =
    guessedText(state.user) !== '' || state.history.some(({ type }) => type === 'user')
  const isBeep = isToneHeard && hasWords
  return readAnswer(guessedText(state.user)).machine ?? (isBeep ? 'voicemail' : null)
}
