/** How a turn of the agent comes to its natural end. */

import { isUnfinished, nextSpeech } from './agent-turn.ts'
import { conclude } from './closing.ts'
import type { Rule } from './conversation-state.ts'
import { endByTool } from './floor.ts'
import { awaitGate } from './gate.ts'
import { listen } from './listening.ts'
import { inOrder, nothing } from './step.ts'
import { commitUserTurn, settleAgent } from './turn-record.ts'

/** The agent's turn is over when all of it was heard and nothing more comes. */
export const endTurnIfOver: Rule = (state) => {
  const { agent } = state
  if (agent === null || agent.isHeld || isUnfinished(state) || nextSpeech(agent) !== undefined) {
    return nothing(state)
  }
  if (state.closing !== null) return conclude(state)
  return inOrder(
    state,
    // Answered with silence, it is answered all the same.
    agent.startedAtMs === null ? commitUserTurn : nothing,
    settleAgent,
    agent.isEnding ? endByTool : state.phase === 'gate' ? awaitGate : listen,
  )
}
