/** Giving way to the callee, and taking the floor back when it was only a noise. */

import { FLUSH_ANSWER_MS, isUnfinished, newTurn, say, stopAgent, takeTurn } from './agent-turn.ts'
import { close } from './closing.ts'
import type { ConversationState, Rule } from './conversation-state.ts'
import { wantsFloor } from './interruption.ts'
import { listen, think, watchEndOfTurn } from './listening.ts'
import { change, inOrder, nothing } from './step.ts'
import { CONTINUE_NOTE } from './stock-sentences.ts'
import { armAt, awaitSound, disarm } from './timers.ts'
import { commitUserTurn, dismissUserTurn, settleStopped } from './turn-record.ts'
import { guessedText } from './user-turn.ts'

/** The VAD is sure of a pause only this much later; until then short speech looks long. */
const VAD_PAUSE_MS = 200
/** A sound without words that lasts this long is no speech, whatever the VAD says. */
const NOISE_MS = 4_000

/** The callee has said something that asks for the floor. */
export const interruptByWords: Rule = (state) =>
  inOrder({ ...state, resume: null }, stopAgent, listen)

/** Something that may be the callee's speech lasts; without words the agent goes on later. */
export const interruptBySound: Rule = (state) => {
  if (state.agent === null || state.agent.purpose === 'prompt') return interruptByWords(state)
  const { isEnding } = state.agent
  return inOrder(
    { ...state, resume: { texts: [], isUnfinished: isUnfinished(state), isEnding } },
    stopAgent,
    (now) => change(now, { phase: 'listening' }),
    disarm('interruption'),
    awaitSound,
    watchFloor,
  )
}

/** The callee goes on before they have heard anything of the answer: it is dropped, their turn grows. */
export const giveWay: Rule = (state) =>
  guessedText(state.user) === '' ? interruptBySound(state) : interruptByWords(state)

/** While listening: has the callee finished, or was there nothing to be listened to? */
export const watchFloor: Rule = (state) => {
  if (state.resume === null) return watchEndOfTurn(state)
  if (wantsFloor(guessedText(state.user))) {
    return inOrder({ ...state, resume: null }, disarm('falseInterruption'), watchEndOfTurn)
  }
  const resumeAtMs = silenceProvenAtMs(state)
  if (state.stopped === null && resumeAtMs <= state.atMs) return resumeTurn(state)
  // What is said again depends on what was heard.
  const flushedAtMs = state.stopped === null ? 0 : state.atMs + FLUSH_ANSWER_MS
  return armAt('falseInterruption', Math.max(resumeAtMs, flushedAtMs))(state)
}

/** When it is clear that the sound asked for nothing. */
function silenceProvenAtMs(state: ConversationState): number {
  const { user, hearing, settings, atMs } = state
  if (hearing.isSpeech) return hearing.startedAtMs + NOISE_MS
  // Words that ask for nothing: no need to wait for others.
  if (user.pieces.length > 0 && user.interim === '') return atMs
  return (hearing.lastAtMs ?? atMs) + settings.timing.falseInterruptionMs
}

/** Says what was left unsaid. */
export const resumeTurn: Rule = (state) =>
  inOrder(state, settleStopped, dismissUserTurn, disarm('falseInterruption'), (now) => {
    const { resume } = now
    if (resume === null) return nothing(now)
    if (resume.isUnfinished) {
      return think({ ...newTurn('answer', CONTINUE_NOTE), isEnding: resume.isEnding })(now)
    }
    if (resume.texts.length > 0) return sayRest(resume)(now)
    const over = { ...now, resume: null }
    return resume.isEnding ? endByTool(over) : listen(over)
  })

function sayRest(rest: { readonly texts: readonly string[]; readonly isEnding: boolean }): Rule {
  return (state) =>
    inOrder(
      { ...state, phase: 'thinking', resume: null },
      disarm('endpoint', 'inactivity'),
      takeTurn({ ...newTurn('answer'), isEnding: rest.isEnding }),
      say(rest.texts),
    )
}

/** The model has called `end_call`, and what it said has been heard. */
export const endByTool: Rule = (state) =>
  close({ endedBy: 'agent', endReason: 'tool_end_call' }, state.settings.endOfCallSentence)(state)

/** While the agent is heard: have the new words any weight? */
export function hearOverlap(spokenUntilMs: number | null): Rule {
  return (state) => {
    const { agent, user, hearing } = state
    const heardSinceMs = agent?.startedAtMs ?? state.atMs
    // Spoken before the agent was audible: part of the turn that it answers.
    if (spokenUntilMs !== null && spokenUntilMs <= heardSinceMs) return commitUserTurn(state)
    const isOverlap =
      spokenUntilMs !== null ||
      (user.isDetected && (hearing.isSpeech || (user.stoppedAtMs ?? 0) > heardSinceMs))
    return isOverlap && wantsFloor(guessedText(user)) ? interruptByWords(state) : nothing(state)
  }
}

/** Speech over the agent begins: wait until it must have lasted for `interruptionMs`. */
export const timeOverlap: Rule = (state) => {
  const { interruptionMs } = state.settings.timing
  return armAt('interruption', state.hearing.startedAtMs + interruptionMs + VAD_PAUSE_MS)(state)
}

/** Speech over the agent has lasted for `interruptionMs`. */
export const overlapLasts: Rule = (state) => {
  const { hearing, user } = state
  const isListener = guessedText(user) !== '' && !wantsFloor(guessedText(user))
  // Whose words are recognised would have been understood by now.
  const isNoise = guessedText(user) === '' && hearing.isUnderstood
  return !hearing.isSpeech || isListener || isNoise ? nothing(state) : interruptBySound(state)
}
