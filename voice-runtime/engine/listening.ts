/** The floor is the callee's: when their turn has ended, and what happens when they say nothing. */

import { ask, FLUSH_ANSWER_MS, newTurn } from './agent-turn.ts'
import { close } from './closing.ts'
import type { AgentTurn, ConversationState, Rule } from './conversation-state.ts'
import { endOfTurnSilenceMs } from './endpointing.ts'
import { change, inOrder, nothing } from './step.ts'
import { SILENCE_NOTE } from './stock-sentences.ts'
import { arm, armAt, disarm } from './timers.ts'
import { dismissBackchannel, dismissUserTurn, settleStopped } from './turn-record.ts'
import { adoptInterim, userText } from './user-turn.ts'

/** How much later than the longest silence a final transcript may come. */
const FINAL_GRACE_MS = 1_000

/** The agent's turn is over, or there was none. */
export const listen: Rule = (state) =>
  inOrder(
    state,
    (now) => change(now, { phase: 'listening' }),
    disarm('opening', 'machine', 'interruption'),
    awaitSound,
    watchEndOfTurn,
  )

/** Restarts the wait for any sound of the callee. */
export const awaitSound: Rule = (state) =>
  arm('inactivity', state.settings.timing.inactivityMs)(state)

/** Ends the callee's turn when it is over by now, or sets the alarm for it. */
export const watchEndOfTurn: Rule = (state) =>
  inOrder(
    state,
    state.agentStoppedAtMs === null ? nothing : dismissBackchannel(state.agentStoppedAtMs),
    (now) => {
      const endAtMs = endOfTurnAtMs(now)
      if (endAtMs === null) return disarm('endpoint')(now)
      if (endAtMs > now.atMs) return armAt('endpoint', endAtMs)(now)
      // The answer must know what was heard of the turn before.
      return now.stopped === null ? endUserTurn(now) : arm('endpoint', FLUSH_ANSWER_MS)(now)
    },
  )

export const endpointReached: Rule = (state) => inOrder(state, settleStopped, watchEndOfTurn)

/** When the turn ends if nothing more is heard; null while the callee speaks or has not begun. */
function endOfTurnAtMs(state: ConversationState): number | null {
  const { user, hearing, endpointing, settings, atMs } = state
  const hasText = user.pieces.length > 0
  if (hearing.isSpeech || (user.startedAtMs === null && user.interim === '')) return null
  const silentSinceMs = user.stoppedAtMs ?? hearing.lastAtMs ?? atMs
  if (user.interim !== '') {
    const lastWordAtMs = Math.max(silentSinceMs, hearing.lastAtMs ?? 0)
    return lastWordAtMs + settings.timing.endpointMaxMs + FINAL_GRACE_MS
  }
  if (!hasText) return silentSinceMs + settings.timing.endpointMaxMs + FINAL_GRACE_MS
  if (user.isHinted) return atMs
  return silentSinceMs + endOfTurnSilenceMs(endpointing, settings.timing)
}

const endUserTurn: Rule = (state) => {
  const heard = adoptInterim(state)
  return userText(heard.user) === ''
    ? inOrder(heard, disarm('endpoint'), dismissUserTurn)
    : think(newTurn('answer'))(heard)
}

/** Asks the model for a turn. */
export function think(turn: AgentTurn): Rule {
  return (state) =>
    inOrder(
      { ...state, agent: turn, phase: 'thinking', resume: null },
      disarm('endpoint', 'inactivity', 'falseInterruption'),
      ask,
    )
}

/** Neither side has spoken for long. */
export const inactivityReached: Rule = (state) => {
  const { inactivityPrompts, settings } = state
  if (adoptInterim(state).user.pieces.length > 0) return endUserTurn(state)
  if (inactivityPrompts >= settings.timing.inactivityPrompts) {
    return close({ endedBy: 'agent', endReason: 'user_inactive' }, null)(state)
  }
  return inOrder(
    { ...state, inactivityPrompts: inactivityPrompts + 1 },
    think(newTurn('prompt', SILENCE_NOTE)),
  )
}
