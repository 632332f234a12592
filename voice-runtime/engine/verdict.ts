/** What the conversation makes of the evidence about who answered. */

import type { AttemptResult } from '#shared/domain/call-attempt/attempt.ts'

import { isMachineText } from './answer-verdict.ts'
import type { AnswerEvidence } from './answer-verdict.ts'
import type { ConversationState, Rule } from './conversation-state.ts'
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

/** Whoever says words, and not a machine's, is a person. */
export const noteWords: Rule = (state) => {
  const isOpen =
    state.result === 'unknown' && state.phase !== 'machine' && state.phase !== 'closing'
  return isOpen ? setResult('human')(state) : nothing(state)
}

/** Whoever calls us is no answering machine. */
export function evidenceOf(state: ConversationState, isToneHeard: boolean): AnswerEvidence {
  const { greeting, hearing, atMs } = state
  const isOutbound = state.settings.direction === 'outbound'
  return {
    isSpeech: hearing.isSpeech,
    speechMs: greeting.speechMs,
    silenceMs: hearing.lastAtMs === null ? null : atMs - hearing.lastAtMs,
    waitedMs: atMs - greeting.sinceMs,
    text: isOutbound ? guessedText(state.user) : '',
    isToneHeard: isOutbound && isToneHeard,
  }
}

/** Whether a tone, or what is said, may still tell that a machine has answered. */
export function canBeMachine(state: ConversationState): boolean {
  const { openedAtMs, atMs, phase, settings } = state
  if (settings.direction !== 'outbound' || phase === 'closing' || phase === 'ended') return false
  return openedAtMs === null || phase === 'machine' || atMs - openedAtMs <= LATE_VERDICT_MS
}

/** Whether the one taken for a person turns out to be a machine. */
export function isLateMachine(state: ConversationState, isToneHeard: boolean): boolean {
  return (
    state.openedAtMs !== null &&
    canBeMachine(state) &&
    (isToneHeard || isMachineText(guessedText(state.user)))
  )
}
