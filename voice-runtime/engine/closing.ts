/** The end of a call: last words, hang-up, and the last records. */

import { cancelLlm, FLUSH_ANSWER_MS, newTurn, say, stopAgent, takeTurn } from './agent-turn.ts'
import { cancelInquiry } from './answer-inquiry.ts'
import type { Closing, Rule } from './conversation-state.ts'
import { change, inOrder, nothing } from './step.ts'
import { arm, disarmAll } from './timers.ts'
import { closeUserTurn, settleAgent, settleStopped } from './turn-record.ts'

/** Slow speech, per character; bounds how long last words may keep the call open. */
const SPEECH_MS_PER_CHAR = 150
const SPEECH_MARGIN_MS = 5_000

/**
 * Ends the call for the reason given: stops the agent, speaks the last words, if any, without listening,
 * and hangs up when they have been heard. What was decided first stays.
 */
export function close(closing: Closing, lastWords: string | null): Rule {
  return (state) => {
    if (state.closing !== null) return nothing(state)
    return inOrder(
      { ...state, closing, resume: null },
      stopAgent,
      cancelInquiry,
      disarmAll,
      (now) => change(now, { phase: 'closing' }),
      lastWords === null || lastWords.trim() === '' ? waitForFlush : speakLastWords(lastWords),
    )
  }
}

function speakLastWords(text: string): Rule {
  return (state) =>
    inOrder(
      state,
      takeTurn(newTurn('farewell')),
      say([text]),
      arm('hangUp', text.length * SPEECH_MS_PER_CHAR + SPEECH_MARGIN_MS),
    )
}

const waitForFlush: Rule = (state) =>
  state.stopped === null ? conclude(state) : arm('hangUp', FLUSH_ANSWER_MS)(state)

/** Nothing is left to be heard: hangs up. */
export const conclude: Rule = (state) => {
  const { closing } = state
  if (closing === null) return nothing(state)
  return inOrder(state, closeRecords, (now) =>
    change(now, { phase: 'ended' }, { type: 'hangUp' }, { type: 'finish', ...closing }),
  )
}

/** The callee is gone. A call that was being ended keeps the reason it was ended for. */
export const calleeGone: Rule = (state) => {
  const closing = state.closing ?? { endedBy: 'user', endReason: null }
  return inOrder(state, cancelLlm, closeRecords, (now) =>
    change(now, { phase: 'ended', closing }, { type: 'finish', ...closing }),
  )
}

const closeRecords: Rule = (state) =>
  inOrder(state, disarmAll, settleStopped, settleAgentAsCut, closeUserTurn)

const settleAgentAsCut: Rule = (state) => {
  if (state.agent === null) return nothing(state)
  const isCut = state.agent.parts.some((part) => part.type === 'speech' && part.status !== 'over')
  return settleAgent({ ...state, agent: { ...state.agent, wasCut: state.agent.wasCut || isCut } })
}
