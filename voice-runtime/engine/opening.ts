/** Who answered, and the first sentence: nothing is said before the floor is free. */

import { ask, newTurn, say, stopAgent, takeTurn } from './agent-turn.ts'
import { cancelInquiry, inquire } from './answer-inquiry.ts'
import { answerVerdict, decisiveSilenceMs } from './answer-verdict.ts'
import type { ConversationEvent } from './conversation-event.ts'
import type { ConversationState, Rule } from './conversation-state.ts'
import { enterGate } from './gate.ts'
import { listen } from './listening.ts'
import { enterMachine } from './machine.ts'
import { letModelOpen } from './realtime-floor.ts'
import { change, inOrder, nothing } from './step.ts'
import { OPENING_INSTRUCTION, OPENING_NOTE } from './stock-sentences.ts'
import { arm, armAt, disarm } from './timers.ts'
import { evidenceOf, setResult } from './verdict.ts'

/** Waits for the callee's greeting. Before anything was heard, `greetingWaitMs` is the limit. */
export const waitForGreeting: Rule = (state) =>
  inOrder(
    state,
    (now) => change(now, { phase: 'greeting' }),
    arm('machine', state.settings.timing.machineCapMs),
    watchGreeting(false),
  )

/** Decides who answered as soon as what was heard is enough. */
export function watchGreeting(isToneHeard: boolean): Rule {
  return (state) => {
    const { timing } = state.settings
    const verdict = answerVerdict(evidenceOf(state, isToneHeard), timing)
    switch (verdict) {
      case 'voicemail':
        return inOrder(state, cancelInquiry, enterMachine(isToneHeard))
      case 'IVR':
      case 'handset-screening-filter':
        return inOrder(state, cancelInquiry, enterGate(verdict))
      case 'human':
      case 'unknown':
        return inOrder(state, cancelInquiry, takeFor(verdict), takeFloor)
      case 'doubtful':
        return inOrder(state, inquire, listenOn)
      case 'undecided':
        return listenOn(state)
    }
  }
}

/** Until the silence is long enough to tell. */
const listenOn: Rule = (state) => {
  const { greeting, hearing, settings } = state
  if (hearing.isSpeech) return disarm('opening')(state)
  return hearing.lastAtMs === null
    ? armAt('opening', greeting.sinceMs + settings.timing.greetingWaitMs)(state)
    : armAt(
        'opening',
        hearing.lastAtMs + decisiveSilenceMs(evidenceOf(state, false), settings.timing),
      )(state)
}

/** The callee has been listened to for long enough, whoever it is. */
export const openUndecided: Rule = (state) =>
  inOrder(state, cancelInquiry, takeFor('unknown'), takeFloor)

/** A verdict about a person stays, whatever silence follows. */
function takeFor(verdict: 'human' | 'unknown'): Rule {
  return (state) =>
    verdict === 'unknown' && state.result !== null ? nothing(state) : setResult(verdict)(state)
}

/** The floor is free: the first sentence follows after `firstSentenceDelayMs`. */
export const takeFloor: Rule = (state) => {
  const opened = { ...state, openedAtMs: state.openedAtMs ?? state.atMs }
  if (!hasOpening(state)) return listen(opened)
  return inOrder(
    opened,
    (now) => change(now, { phase: 'opening' }),
    disarm('machine'),
    arm('opening', state.settings.firstSentenceDelayMs),
  )
}

function hasOpening({ settings }: ConversationState): boolean {
  if (settings.firstSentenceMode === 'none') return false
  return settings.firstSentenceMode === 'generated' || (settings.firstSentence ?? '').trim() !== ''
}

/** The delay is over. The phase lasts until the first sentence is audible. */
export const sayOpening: Rule = (state) => {
  const { firstSentence, firstSentenceMode } = state.settings
  const text = (firstSentence ?? '').trim()
  if (firstSentenceMode === 'static') {
    return inOrder(state, takeTurn(newTurn('opening')), say([text]))
  }
  const note = `${OPENING_NOTE} ${text === '' ? OPENING_INSTRUCTION : text}`
  if (state.settings.realtimeModel !== null) return letModelOpen(note)(state)
  return inOrder(state, takeTurn(newTurn('opening', note)), ask)
}

/** The callee speaks before the first sentence is audible: that is part of their greeting. */
export const backToGreeting: Rule = (state) => inOrder(state, stopAgent, waitForGreeting)

/** How long the callee has spoken before the agent did, after one more event. */
export function withGreeting(
  before: ConversationState,
  after: ConversationState,
  event: ConversationEvent,
): ConversationState {
  const spokenMs = newSpeechMs(before, after, event)
  if (spokenMs === 0) return after
  return { ...after, greeting: { ...after.greeting, speechMs: after.greeting.speechMs + spokenMs } }
}

function newSpeechMs(
  before: ConversationState,
  after: ConversationState,
  event: ConversationEvent,
): number {
  if (event.type === 'speechEnded' && before.hearing.isSpeech) {
    return Math.max(0, (after.user.stoppedAtMs ?? 0) - before.hearing.startedAtMs)
  }
  // Without a VAD, the recogniser's times must do.
  if (event.type === 'finalTranscript' && !after.user.isDetected) {
    return Math.max(0, event.endedAtMs - event.startedAtMs)
  }
  return 0
}
