/**
 * The conversation of a speech-to-speech model as one pure reducer. The model hears, thinks, speaks
 * and takes turns by itself; what is decided here is when it begins, what becomes of what it says,
 * its tools, silence, and the end. The phases stand in `realtime-state.ts`.
 */

import { heardText } from '#shared/audio/heard-text.ts'
import type { SpeechEvent } from '#shared/domain/transcript.ts'

import type { Closing } from './conversation-state.ts'
import { END_CALL_TOOL } from './end-call-tool.ts'
import type { RealtimeEvent } from './realtime-event.ts'
import {
  append,
  awaitSound,
  cutModel,
  modelBegins,
  modelSays,
  NO_FIGURES,
  respond,
  say,
  settle,
  speechStarts,
  stopSpeaking,
} from './realtime-speech.ts'
import { arm, change, disarm, inOrder, nothing } from './realtime-state.ts'
import type { RealtimeRule, RealtimeState, RealtimeStep } from './realtime-state.ts'
import type { ConversationSettings } from './settings.ts'
import { OPENING_INSTRUCTION, OPENING_NOTE, SILENCE_NOTE } from './stock-sentences.ts'

export type { RealtimeState, RealtimeStep }

const MAX_FAILURES = 3
/** How long the end waits to be told what was heard of a speech that it stopped. */
const FLUSH_ANSWER_MS = 500
/** Last words keep the call open for no longer than slow speech, per character, and this. */
const SPEECH_MS_PER_CHAR = 150
const SPEECH_MARGIN_MS = 5_000
const ANSWER_NOTE = 'Answer what the person has just said.'
/** Said when the model is lost: nobody else could go on. */
export const LOST_SENTENCE = "I'm sorry, something went wrong on my side. Goodbye."

/** Begins a conversation when the media session begins. */
export function startRealtimeConversation(
  settings: ConversationSettings,
  atMs: number,
): RealtimeStep {
  const { direction, firstSentenceDelayMs, firstSentenceMode, timing } = settings
  const state: RealtimeState = {
    settings,
    phase: 'waiting',
    atMs,
    result: null,
    calleeStartedAtMs: null,
    calleeStoppedAtMs: null,
    speeches: [],
    cut: [],
    calls: [],
    endCallId: null,
    begunAtMs: null,
    inactivityPrompts: 0,
    failures: 0,
    closing: null,
    timers: {},
    speechCount: 0,
  }
  const waitMs = direction === 'inbound' ? 0 : timing.greetingWaitMs
  return inOrder(
    state,
    arm('maxDuration', settings.maxCallDurationMs),
    arm('machine', timing.machineCapMs),
    direction === 'inbound' ? setHuman : nothing,
    firstSentenceMode === 'none' ? talk : arm('opening', waitMs + firstSentenceDelayMs),
  )
}

/** What the event changes and what is to be done. An event that does not apply changes nothing. */
export function decideRealtimeConversation(
  before: RealtimeState,
  event: RealtimeEvent,
): RealtimeStep {
  if (before.phase === 'ended') return nothing(before)
  const state = { ...before, atMs: Math.max(before.atMs, event.atMs) }
  switch (event.type) {
    case 'speechStarted':
      return calleeSpeaks(event.startedAtMs)(state)
    case 'speechEnded':
      return calleePauses(event.endedAtMs)(state)
    case 'modelHeard':
      return noteCallee(event.text)(state)
    case 'modelBegan':
      return modelBegins(event.utterance)(state)
    case 'modelText':
      return modelSays(event.utterance, event.text)(state)
    case 'modelInterrupted':
      return state.phase === 'closing' ? nothing(state) : stopSpeaking(state)
    case 'modelToolCall':
      return event.call.name === END_CALL_TOOL.name
        ? endIfSaid({ ...state, endCallId: event.call.id })
        : useTool(event.call)(state)
    case 'modelToolCancelled':
      return forgetTool(event.callId)(state)
    case 'toolAnswered':
      return toolAnswers(event)(state)
    case 'playoutStarted':
      return speechStarts(event.speechId)(state)
    case 'playoutDone':
      return speechEnds(event.speechId)(state)
    case 'playoutFlushed':
      return speechIsCut(event)(state)
    case 'speechFailed':
      return speechFails(event.speechId)(state)
    case 'modelAnswerFailed':
      return answerFails(state)
    case 'modelLost':
      return close({ endedBy: 'system', endReason: null }, LOST_SENTENCE)(state)
    case 'timerFired':
      return ring(state, event.name)
    case 'endRequested':
      return close({ endedBy: 'system', endReason: event.endReason }, null)(state)
    case 'calleeHungUp':
      return finish(state.closing ?? { endedBy: 'user', endReason: null })(state)
  }
}

function ring(before: RealtimeState, name: keyof RealtimeState['timers']): RealtimeStep {
  // One that was replaced or cleared on its way here is told by the state.
  if (before.timers[name] === undefined) return nothing(before)
  const { [name]: _rung, ...timers } = before.timers
  const state = { ...before, timers }
  const { maxDurationEndMessage } = state.settings
  switch (name) {
    case 'opening':
    case 'machine':
      return inOrder(state, talk, sayFirstSentence)
    case 'inactivity':
      return promptSilent(state)
    case 'llmFirstToken':
      return answerFails(state)
    case 'maxDuration':
      return close({ endedBy: 'system', endReason: 'max_duration' }, maxDurationEndMessage)(state)
    case 'hangUp':
      return conclude(state)
    default:
      return nothing(state)
  }
}

const setHuman: RealtimeRule = (state) =>
  state.result === 'human'
    ? nothing(state)
    : change(state, { result: 'human' }, { type: 'setResult', result: 'human' })

const talk: RealtimeRule = (state) =>
  inOrder({ ...state, phase: 'talking' }, disarm('opening', 'machine'), awaitSound, (now) =>
    change(now, {}, { type: 'letModelListen' }),
  )

const sayFirstSentence: RealtimeRule = (state) => {
  const { firstSentence, firstSentenceMode } = state.settings
  const text = (firstSentence ?? '').trim()
  if (firstSentenceMode === 'static') {
    return text === '' ? nothing(state) : say(text)(state)
  }
  const instructions = `${OPENING_NOTE} ${text === '' ? OPENING_INSTRUCTION : text}`
  return respond(instructions)(state)
}

function calleeSpeaks(startedAtMs: number): RealtimeRule {
  return (state) =>
    inOrder(
      { ...state, calleeStartedAtMs: startedAtMs, calleeStoppedAtMs: null },
      disarm('opening', 'inactivity', 'llmFirstToken'),
    )
}

function calleePauses(endedAtMs: number): RealtimeRule {
  return (state) => {
    const { firstSentenceDelayMs, timing } = state.settings
    const heard = { ...state, calleeStoppedAtMs: endedAtMs }
    if (state.phase === 'waiting') {
      const waitMs = timing.personSilenceMs + firstSentenceDelayMs
      return inOrder(heard, setHuman, arm('opening', waitMs))
    }
    return state.phase === 'talking' ? awaitSound(heard) : nothing(heard)
  }
}

function noteCallee(text: string): RealtimeRule {
  return (state) => {
    if (text === '') return nothing(state)
    const { atMs, begunAtMs, calleeStartedAtMs, calleeStoppedAtMs, settings } = state
    // The model may have answered before it tells what it has heard.
    const isAnswered = begunAtMs !== null && begunAtMs >= (calleeStartedAtMs ?? atMs)
    const event: Omit<SpeechEvent, 'id'> = {
      ...NO_FIGURES,
      isRealTurn: true,
      speaker: 'user',
      startedSpeakingAtMs: calleeStartedAtMs ?? atMs,
      stoppedSpeakingAtMs: calleeStoppedAtMs,
      transcript: text,
      wasCut: null,
    }
    return inOrder(
      { ...state, inactivityPrompts: 0 },
      setHuman,
      append({ type: 'user', text }),
      (now) => change(now, {}, { type: 'emitSpeechEvent', event }),
      state.phase === 'talking' && !isAnswered
        ? arm('llmFirstToken', settings.timing.llmFirstTokenMs)
        : nothing,
    )
  }
}

function speechEnds(id: string): RealtimeRule {
  return (state) => {
    const speech = state.speeches.find((one) => one.id === id)
    if (speech === undefined) return nothing(state)
    return inOrder(state, settle(speech, speech.text, false), endIfSaid)
  }
}

function speechFails(id: string): RealtimeRule {
  return (state) =>
    inOrder({ ...state, speeches: state.speeches.filter((one) => one.id !== id) }, endIfSaid)
}

function speechIsCut(event: RealtimeEvent & { readonly type: 'playoutFlushed' }): RealtimeRule {
  return (state) => {
    const speech = state.speeches.find(({ id }) => id === event.speechId)
    if (speech === undefined) return nothing(state)
    const { heardMs, saidMs } = event
    const estimate = { text: speech.text, words: [], heardMs, totalMs: Math.max(saidMs, heardMs) }
    const heard = speech.isModels ? heardText(estimate) : event.heardText
    return inOrder(
      // Whoever goes on talking over a goodbye takes it back.
      { ...state, endCallId: null },
      settle(speech, heard, true),
      speech.isModels ? cutModel(speech.id, heardMs) : nothing,
      endIfSaid,
    )
  }
}

function forgetTool(callId: string): RealtimeRule {
  return (state) =>
    change(state, {
      calls: state.calls.filter(({ id }) => id !== callId),
      endCallId: state.endCallId === callId ? null : state.endCallId,
    })
}

function useTool(call: RealtimeState['calls'][number]): RealtimeRule {
  return (state) =>
    inOrder({ ...state, calls: [...state.calls, call] }, disarm('llmFirstToken'), (now) =>
      change(
        now,
        {},
        {
          type: 'callTool',
          callId: call.id,
          name: call.name,
          arguments: call.arguments,
        },
      ),
    )
}

function toolAnswers(event: RealtimeEvent & { readonly type: 'toolAnswered' }): RealtimeRule {
  return (state) => {
    const { callId, output, isError } = event
    const call = state.calls.find(({ id }) => id === callId)
    if (call === undefined) return nothing(state)
    return inOrder(
      { ...state, calls: state.calls.filter(({ id }) => id !== callId) },
      append({ type: 'tool', call, output, isError }),
      (now) => change(now, {}, { type: 'answerModelTool', callId, output }),
      state.phase === 'talking'
        ? arm('llmFirstToken', state.settings.timing.llmFirstTokenMs)
        : nothing,
    )
  }
}

/** All was heard: the callee is waited for, or the call is over. */
const endIfSaid: RealtimeRule = (state) => {
  if (state.speeches.length > 0) return nothing(state)
  if (state.phase === 'closing') return conclude(state)
  if (state.endCallId === null) return awaitSound(state)
  const closing: Closing = { endedBy: 'agent', endReason: 'tool_end_call' }
  return close(closing, state.settings.endOfCallSentence)(state)
}

/** Nothing came of the model although something should have. */
const answerFails: RealtimeRule = (state) => {
  if (state.phase !== 'talking') return nothing(state)
  const failures = state.failures + 1
  const failed = { ...state, failures }
  if (failures < MAX_FAILURES) return respond(ANSWER_NOTE)(failed)
  return close({ endedBy: 'system', endReason: null }, LOST_SENTENCE)(failed)
}

const promptSilent: RealtimeRule = (state) => {
  const { inactivityPrompts, settings } = state
  if (inactivityPrompts >= settings.timing.inactivityPrompts) {
    return close({ endedBy: 'agent', endReason: 'user_inactive' }, null)(state)
  }
  return inOrder(
    { ...state, inactivityPrompts: inactivityPrompts + 1 },
    respond(SILENCE_NOTE),
    awaitSound,
  )
}

/** Ends the call, with last words that nobody interrupts. What was decided first stays. */
function close(closing: Closing, lastWords: string | null): RealtimeRule {
  return (state) => {
    if (state.closing !== null) return nothing(state)
    const names = Object.keys(state.timers) as (keyof RealtimeState['timers'])[]
    const words = (lastWords ?? '').trim()
    const wordsMs = words.length * SPEECH_MS_PER_CHAR + SPEECH_MARGIN_MS
    return inOrder(
      { ...state, closing },
      stopSpeaking,
      disarm(...names),
      (now) => change(now, { phase: 'closing' }),
      words === '' ? nothing : say(words),
      (now) =>
        now.speeches.length === 0
          ? conclude(now)
          : arm('hangUp', words === '' ? FLUSH_ANSWER_MS : wordsMs)(now),
    )
  }
}

const conclude: RealtimeRule = (state) =>
  inOrder(
    state,
    (now) => change(now, {}, { type: 'hangUp' }),
    finish(state.closing ?? { endedBy: 'system', endReason: null }),
  )

function finish(closing: Closing): RealtimeRule {
  return (state) => change(state, { phase: 'ended', closing }, { type: 'finish', ...closing })
}
