/** The floor is the callee's: when their turn has ended, and what happens when they say nothing. */

import { ask, FLUSH_ANSWER_MS, newTurn, releaseTurn, takeTurn } from './agent-turn.ts'
import { close } from './closing.ts'
import { completenessOf } from './completeness.ts'
import type { Completeness } from './completeness.ts'
import type { AgentTurn, ConversationState, Rule } from './conversation-state.ts'
import { endOfTurnSilenceMs } from './endpointing.ts'
import { haveModelSpeak, letModelTalk } from './realtime-floor.ts'
import { change, inOrder, nothing } from './step.ts'
import { SILENCE_NOTE } from './stock-sentences.ts'
import { arm, armAt, awaitSound, disarm } from './timers.ts'
import { dismissBackchannel, dismissUserTurn, settleStopped } from './turn-record.ts'
import { guessedText } from './user-turn.ts'

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

/** Ends the callee's turn when it is over by now, or sets the alarm for it and prepares an answer. */
export const watchEndOfTurn: Rule = (state) => {
  if (state.settings.realtimeModel === null || state.phase !== 'listening') {
    return watchTurn(state)
  }
  // The model must be told what was heard of the turn before.
  return state.stopped === null ? letModelTalk(state) : arm('endpoint', FLUSH_ANSWER_MS)(state)
}

const watchTurn: Rule = (state) =>
  inOrder(
    state,
    state.agentStoppedAtMs === null ? nothing : dismissBackchannel(state.agentStoppedAtMs),
    (now) => {
      const endAtMs = endOfTurnAtMs(now)
      if (endAtMs === null) return disarm('endpoint')(now)
      if (endAtMs > now.atMs) return inOrder(now, prepareAnswer, armAt('endpoint', endAtMs))
      // The answer must know what was heard of the turn before.
      return now.stopped === null ? endUserTurn(now) : arm('endpoint', FLUSH_ANSWER_MS)(now)
    },
  )

export const endpointReached: Rule = (state) => inOrder(state, settleStopped, watchEndOfTurn)

/** When the turn ends if nothing more is heard; null while the callee speaks or has not begun. */
function endOfTurnAtMs(state: ConversationState): number | null {
  const { user, hearing, endpointing, settings, atMs } = state
  const { timing } = settings
  if (hearing.isSpeech || (user.startedAtMs === null && user.interim === '')) return null
  const silentSinceMs = user.stoppedAtMs ?? hearing.lastAtMs ?? atMs
  if (guessedText(user) === '') return silentSinceMs + timing.endpointMaxMs + FINAL_GRACE_MS
  if (user.isHinted) return atMs
  // Without a VAD the last word is the last sound.
  const lastSoundAtMs = user.isDetected
    ? silentSinceMs
    : Math.max(silentSinceMs, hearing.lastAtMs ?? 0)
  return lastSoundAtMs + endOfTurnSilenceMs(endpointing, completenessNow(state), timing)
}

function completenessNow({ user, history, settings }: ConversationState): Completeness {
  const question = history.findLast((item) => item.type === 'agent')
  return completenessOf({
    text: guessedText(user),
    question: question?.type === 'agent' ? question.text : '',
    language: settings.language,
  })
}

/** The callee may have finished: an answer is made ready, and dropped if they go on. */
const prepareAnswer: Rule = (state) => {
  const isLikely =
    state.phase === 'listening' &&
    state.agent === null &&
    state.stopped === null &&
    guessedText(state.user) !== '' &&
    completenessNow(state) !== 'open'
  return isLikely ? think({ ...newTurn('answer'), isHeld: true })(state) : nothing(state)
}

const endUserTurn: Rule = (state) => {
  if (state.agent !== null) return inOrder(state, disarm('endpoint'), releaseTurn)
  return guessedText(state.user) === ''
    ? inOrder(state, disarm('endpoint'), dismissUserTurn)
    : think(newTurn('answer'))(state)
}

/** Asks the model for a turn. */
export function think(turn: AgentTurn): Rule {
  return (state) =>
    inOrder(
      { ...state, phase: 'thinking', resume: null },
      disarm('endpoint', 'inactivity', 'falseInterruption'),
      takeTurn(turn),
      ask,
    )
}

/** Neither side has spoken for long. */
export const inactivityReached: Rule = (state) => {
  const { inactivityPrompts, settings } = state
  if (guessedText(state.user) !== '') return endUserTurn(state)
  if (inactivityPrompts >= settings.timing.inactivityPrompts) {
    return close({ endedBy: 'agent', endReason: 'user_inactive' }, null)(state)
  }
  return inOrder(
    { ...state, inactivityPrompts: inactivityPrompts + 1 },
    state.realtime === null ? think(newTurn('prompt', SILENCE_NOTE)) : haveModelSpeak(SILENCE_NOTE),
  )
}
