/**
 * The conversation as one pure reducer. All waiting is a timer command, all time comes with the events.
 *
 * | Phase | Entered when | Left when |
 * |---|---|---|
 * | `greeting` | an outbound call begins; the callee speaks in `opening` | a verdict: `opening` (or `listening` when the callee is to begin), `machine`, `gate` |
 * | `opening` | the floor is free for the agent's first sentence | it is audible: `speaking`; the callee speaks before: `greeting`; it cannot be said: `listening` |
 * | `listening` | the agent's turn is over, was interrupted, or was dropped unheard | the callee's turn has ended, or nobody speaks: `thinking`; a false interruption: `thinking` |
 * | `thinking` | a turn of the agent is prepared, nothing of it is audible | first audio: `speaking`; the callee goes on: `listening`; nothing to say: `listening` |
 * | `speaking` | the callee hears the agent's turn | all was heard and nothing more comes, or an interruption: `listening`; `end_call`: `closing` |
 * | `realtime` | a speech-to-speech model takes the floor: instead of `listening`, or to open the conversation itself | like `listening` and `speaking` together, but for what the model does itself |
 * | `machine` | an answering machine is recognised and there is a message for it | it records: `closing` with the message as last words |
 * | `gate` | a screening assistant, or a menu that may be gone through, is recognised | a person speaks: `opening` (or `listening`); a mailbox: `machine`; nobody comes: `closing` |
 * | `closing` | the end is decided | last words heard, or none: `ended`. Nothing the callee says matters; what they say is recorded |
 * | `ended` | `finish` was given | never |
 *
 * From every phase but `ended`: the callee hangs up -> `ended`; maximum duration or `endRequested` ->
 * `closing`. From `opening` to `realtime`, for 10 s: a machine shows itself -> `machine` or `gate`.
 */

import { fillDeadAir, watchDeadAir, watchThinking } from './agent-turn.ts'
import { hearInquiryAnswer, inquiryAnswer } from './answer-inquiry.ts'
import { hearAtGate, promptOver } from './at-gate.ts'
import { close, calleeGone, conclude } from './closing.ts'
import { haveSameWords } from './completeness.ts'
import type { ConversationEvent } from './conversation-event.ts'
import type { ConversationState, Rule, Step } from './conversation-state.ts'
import { NO_PAUSES } from './endpointing.ts'
import { giveWay, hearOverlap, overlapLasts, resumeTurn, timeOverlap, watchFloor } from './floor.ts'
import { enterGate, GATE_OF, giveUpGate } from './gate.ts'
import { endpointReached, inactivityReached, watchEndOfTurn } from './listening.ts'
import { enterMachine, leaveMessage, watchMachine } from './machine.ts'
import {
  backToGreeting,
  openUndecided,
  sayOpening,
  takeFloor,
  waitForGreeting,
  watchGreeting,
  withGreeting,
} from './opening.ts'
import {
  answerTool,
  forgetModelTool,
  hearBesideModel,
  hearFlush,
  modelFails,
  modelGivesWay,
  modelIsLost,
  useModelTool,
  utteranceBegins,
  utteranceGoesOn,
} from './realtime.ts'
import type { ConversationSettings } from './settings.ts'
import {
  hearPlayoutDone,
  hearPlayoutStarted,
  hearSpeechFailed,
  hearSpeechReady,
  voiceTimedOut,
} from './speaking.ts'
import { change, inOrder, nothing } from './step.ts'
import {
  goOnReleased,
  hearLlmDone,
  hearLlmFailure,
  hearLlmText,
  hearToolCall,
  thinkingTimedOut,
} from './thinking.ts'
import { arm, awaitSound, disarm, ring } from './timers.ts'
import { dismissUserTurn } from './turn-record.ts'
import { guessedText, hear, NO_USER_TURN, userText } from './user-turn.ts'
import { isTalking, lateMachine, noteWords, setResult } from './verdict.ts'

export type { ConversationState, Step }

/** Begins a conversation when the media session begins. `atMs` is ms since that moment, normally 0. */
export function startConversation(settings: ConversationSettings, atMs: number): Step {
  const isInbound = settings.direction === 'inbound'
  return inOrder(
    freshState(settings, atMs),
    arm('maxDuration', settings.maxCallDurationMs - atMs),
    isInbound ? setResult('human') : nothing,
    isInbound ? takeFloor : waitForGreeting,
  )
}

function freshState(settings: ConversationSettings, atMs: number): ConversationState {
  return {
    settings,
    phase: 'greeting',
    atMs,
    result: null,
    openedAtMs: null,
    greeting: { sinceMs: atMs, speechMs: 0, opinion: null },
    carrier: null,
    inquiry: null,
    gate: null,
    hearing: { isUnderstood: false, isSpeech: false, startedAtMs: atMs, lastAtMs: null },
    user: NO_USER_TURN,
    agent: null,
    stopped: null,
    agentStoppedAtMs: null,
    resume: null,
    llm: null,
    realtime: null,
    lateTools: [],
    history: [],
    endpointing: NO_PAUSES,
    inactivityPrompts: 0,
    isOptedOut: false,
    failures: 0,
    closing: null,
    timers: {},
    guessedUntilMs: 0,
    llmCount: 0,
    speechCount: 0,
    turnCount: 0,
  }
}

/** What the event changes and what is to be done. An event that does not apply changes nothing. */
export function decideConversation(state: ConversationState, event: ConversationEvent): Step {
  if (state.phase === 'ended') return nothing(state)
  const now = { ...state, atMs: Math.max(state.atMs, event.atMs) }
  const step = react(now, event)
  if (step.state === now) return { state, commands: step.commands }
  const watched = inOrder(step.state, watchDeadAir(state), watchThinking(state))
  return { state: watched.state, commands: [...step.commands, ...watched.commands] }
}

function react(state: ConversationState, event: ConversationEvent): Step {
  const opinion = inquiryAnswer(state, event)
  if (opinion !== null) return hearInquiryAnswer(opinion, useOpinion)(state)
  switch (event.type) {
    case 'speechStarted':
    case 'speechEnded':
    case 'interimTranscript':
    case 'finalTranscript':
    case 'endOfTurnHint':
      return reactToCallee(state, event)
    case 'toneEnded':
      return reactToTone(state)
    case 'carrierVerdict':
      return hearCarrier(event.answeredBy)(state)
    case 'llmText':
      return hearLlmText(event)(state)
    case 'llmToolCall':
      return hearToolCall(event)(state)
    case 'llmDone':
      return hearLlmDone(event)(state)
    case 'llmFailed':
      return hearLlmFailure(event)(state)
    case 'toolAnswered':
      return answerTool(event)(state)
    case 'speechReady':
      return hearSpeechReady(event)(state)
    case 'playoutStarted':
      return hearPlayoutStarted(event)(state)
    case 'playoutDone':
      return hearPlayoutDone(event)(state)
    case 'playoutFlushed':
      return hearFlush(event)(state)
    case 'speechFailed':
      return hearSpeechFailed(event)(state)
    case 'modelBegan':
      return utteranceBegins(event)(state)
    case 'modelText':
      return utteranceGoesOn(event)(state)
    case 'modelInterrupted':
      return modelGivesWay(state)
    case 'modelToolCall':
      return useModelTool(event)(state)
    case 'modelToolCancelled':
      return forgetModelTool(event)(state)
    case 'modelFailed':
      return modelFails(state)
    case 'modelLost':
      return modelIsLost(state)
    case 'timerFired':
      return reactToTimer(state, event.name)
    case 'calleeHungUp':
      return calleeGone(state)
    case 'endRequested':
      return close({ endedBy: 'system', endReason: event.endReason }, null)(state)
    // The session opens a new recogniser; until then sound must do.
    case 'recogniserFailed':
      return change(state, { hearing: { ...state.hearing, isUnderstood: false } })
    // Keys pressed by the callee mean nothing to the agent.
    case 'dtmfReceived':
      return nothing(state)
  }
}

type CalleeEvent = ConversationEvent & {
  readonly type:
    | 'speechStarted'
    | 'speechEnded'
    | 'interimTranscript'
    | 'finalTranscript'
    | 'endOfTurnHint'
}

/** First what was heard becomes state, then the phase decides what follows from it. */
function reactToCallee(state: ConversationState, event: CalleeEvent): Step {
  const isStart = event.type === 'speechStarted' && !state.hearing.isSpeech
  return inOrder(state, isStart ? separateNoise : nothing, (before) => {
    const after = withGreeting(before, hear(before, event), event)
    if (after === before) return nothing(before)
    const hasWords = event.type === 'finalTranscript' && userText(after.user) !== ''
    const isPause = event.type === 'speechEnded' && before.hearing.isSpeech
    return inOrder(
      after,
      isPause && before.realtime === null ? finalize : nothing,
      hasWords ? noteWords : nothing,
      (now) => revise(false)(now) ?? phaseReaction(event, isStart)(now),
    )
  })
}

/** The callee pauses: the recogniser need not wait for what may follow. */
const finalize: Rule = (state) => change(state, {}, { type: 'finalizeTranscript' })

/** The one who is talked with may show itself a machine; null when it does not. */
function revise(isToneHeard: boolean): (state: ConversationState) => Step | null {
  return (state) => {
    const machine = isTalking(state) ? lateMachine(state, isToneHeard) : null
    if (machine === null) return null
    return machine === 'voicemail'
      ? enterMachine(isToneHeard)(state)
      : enterGate(GATE_OF[machine])(state)
  }
}

function phaseReaction(event: CalleeEvent, isStart: boolean): Rule {
  return (state) => {
    switch (state.phase) {
      case 'greeting':
        return watchGreeting(false)(state)
      case 'opening':
        return isStart ? backToGreeting(state) : nothing(state)
      case 'machine':
        return watchMachine(state)
      case 'gate':
        return hearAtGate(state)
      case 'listening':
        return inOrder(state, awaitSound, watchFloor)
      case 'thinking':
        if (isStart || isOtherText(state, event)) return giveWay(state)
        return inOrder(state, watchHeldTurn)
      case 'speaking':
        return reactToOverlap(state, event)
      case 'realtime':
        return hearBesideModel(event)(state)
      case 'closing':
      case 'ended':
        return nothing(state)
    }
  }
}

/** Words that came too late for the turn that is being answered. */
function isOtherText({ agent, hearing, user }: ConversationState, event: CalleeEvent): boolean {
  const isText =
    event.type === 'finalTranscript' ||
    (event.type === 'interimTranscript' && agent?.isHeld === true)
  if (!isText || event.text.trim() === '' || hearing.isSpeech) return false
  return !haveSameWords(guessedText(user), agent?.answers ?? '')
}

/** An answer is ready, or nearly so: may it be heard by now? */
const watchHeldTurn: Rule = (state) =>
  state.agent?.isHeld === true ? inOrder(state, watchEndOfTurn, goOnReleased) : nothing(state)

function reactToOverlap(state: ConversationState, event: CalleeEvent): Step {
  switch (event.type) {
    case 'speechStarted':
      return timeOverlap(state)
    case 'speechEnded':
      return disarm('interruption')(state)
    case 'interimTranscript':
      return hearOverlap(null)(state)
    case 'finalTranscript':
      return event.text.trim() === '' ? nothing(state) : hearOverlap(event.endedAtMs)(state)
    case 'endOfTurnHint':
      return nothing(state)
  }
}

/** A sound in which nothing was recognised does not become part of what follows much later. */
const separateNoise: Rule = (state) => {
  const { user, settings, atMs } = state
  if (user.pieces.length > 0 || user.interim !== '' || user.stoppedAtMs === null) {
    return nothing(state)
  }
  const isOld = atMs - user.stoppedAtMs > settings.timing.endpointMaxMs
  return isOld && state.phase !== 'greeting' ? dismissUserTurn(state) : nothing(state)
}

function reactToTone(state: ConversationState): Step {
  if (state.phase === 'greeting') return watchGreeting(true)(state)
  if (state.phase === 'machine') return leaveMessage(state)
  if (state.phase === 'gate') return promptOver(state)
  return revise(true)(state) ?? nothing(state)
}

function hearCarrier(carrier: 'human' | 'machine'): Rule {
  return (state) => useOpinion({ ...state, carrier })
}

/** There is something new to be known about who answered. */
const useOpinion: Rule = (state) => {
  if (state.phase === 'greeting') return watchGreeting(false)(state)
  return state.phase === 'gate' && state.timers.endpoint !== undefined
    ? promptOver(state)
    : nothing(state)
}

type FiredTimer = (ConversationEvent & { readonly type: 'timerFired' })['name']

function reactToTimer(before: ConversationState, name: FiredTimer): Step {
  const state = ring(before, name)
  return state === null ? nothing(before) : timerReaction(state.phase, name)(state)
}

function timerReaction(phase: ConversationState['phase'], name: FiredTimer): Rule {
  switch (name) {
    case 'opening':
      if (phase === 'opening') return sayOpening
      return phase === 'greeting' ? watchGreeting(false) : nothing
    case 'machine':
      if (phase === 'greeting') return openUndecided
      return leaveMessage
    case 'endpoint':
      if (phase === 'listening') return endpointReached
      if (phase === 'thinking') return watchHeldTurn
      return phase === 'gate' ? promptOver : leaveMessage
    case 'gate':
      return giveUpGate
    case 'interruption':
      return phase === 'speaking' ? overlapLasts : nothing
    case 'falseInterruption':
      return phase === 'listening' ? resumeTurn : nothing
    case 'inactivity':
      return phase === 'listening' || phase === 'realtime' ? inactivityReached : nothing
    case 'llmFirstToken':
      return phase === 'realtime' ? modelFails : thinkingTimedOut
    case 'deadAir':
      return fillDeadAir
    case 'ttsFirstAudio':
      return voiceTimedOut
    case 'hangUp':
      return conclude
    case 'maxDuration':
      return endAtMaxDuration
  }
}

const endAtMaxDuration: Rule = (state) =>
  close(
    { endedBy: 'system', endReason: 'max_duration' },
    state.settings.maxDurationEndMessage,
  )(state)
