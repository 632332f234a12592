import type { CalleeClipId } from '#shared/audio/clips/callee-clips.ts'

import type { Callee, CalleeAction, CalleeEvent, CalleeTimer, Reaction } from '../callee.ts'

/** One person. All times in ms. */
export interface PersonScript {
  readonly greeting: CalleeClipId | null
  /** One for each turn of the agent, in order. */
  readonly answers: readonly CalleeClipId[]
  /** Said once the answers are used up, or the agent was heard to say goodbye. */
  readonly farewell: CalleeClipId | null
  /** Said while the agent speaks, one for each of its turns that is long enough. */
  readonly interjections: readonly CalleeClipId[]
  /** From the end of the agent's speech to the answer. */
  readonly reactionMs: number
  readonly hangsUpAfterMs: number | null
}

export interface PersonState {
  readonly answersGiven: number
  readonly interjectionsMade: number
  readonly speaking: CalleeClipId | null
  readonly agentSpeaking: boolean
  /** The agent has paused, and unless it goes on the person answers. */
  readonly owesReply: boolean
  readonly heardGoodbye: boolean
  readonly saidFarewell: boolean
  /** When the person's last sentence was over. */
  readonly lineEndedAtMs: number
}

const GREETING_AFTER_MS = 400
const INTERJECTS_AFTER_MS = 1_200
/** How long after its farewell a person waits for the agent to hang up. */
const LINGERS_MS = 1_500
/** An agent that stops this soon after the person's sentence did so because of it. */
const GIVING_WAY_MS = 300
const GOODBYE = /\b(good)?bye\b/i
/** Sounds that take nobody's turn. */
const BACKCHANNELS: ReadonlySet<CalleeClipId> = new Set(['mm_hm'])

const INITIAL: PersonState = {
  answersGiven: 0,
  interjectionsMade: 0,
  speaking: null,
  agentSpeaking: false,
  owesReply: false,
  heardGoodbye: false,
  saidFarewell: false,
  lineEndedAtMs: -Infinity,
}

/** Somebody who greets, answers turn by turn, says goodbye, and hangs up if the agent does not. */
export function person(script: PersonScript): Callee<PersonState> {
  return { initial: INITIAL, react: (state, event) => react(script, state, event) }
}

function react(
  script: PersonScript,
  state: PersonState,
  event: CalleeEvent,
): Reaction<PersonState> {
  switch (event.type) {
    case 'answered':
      return { state, actions: plansOf(script) }
    case 'agentSpeechStarted':
      return agentStarted(script, state, event.atMs - event.startedAtMs)
    case 'agentSpeechEnded':
      return agentPaused(script, state, event)
    case 'agentWords':
      return only({ ...state, heardGoodbye: state.heardGoodbye || GOODBYE.test(event.text) })
    case 'clipFinished':
      return clipFinished(script, state, event)
    case 'timer':
      return timerFired(script, state, event.name)
    case 'beepFinished':
    case 'agentKey':
      return only(state)
  }
}

function plansOf(script: PersonScript): CalleeAction[] {
  const plans: CalleeAction[] = []
  if (script.greeting !== null) {
    plans.push({ type: 'setTimer', name: 'speak', inMs: GREETING_AFTER_MS })
  }
  if (script.hangsUpAfterMs !== null) {
    plans.push({ type: 'setTimer', name: 'hangUp', inMs: script.hangsUpAfterMs })
  }
  return plans
}

function agentStarted(
  script: PersonScript,
  state: PersonState,
  sinceMs: number,
): Reaction<PersonState> {
  const isSameTurn = state.owesReply
  const willInterject = !isSameTurn && state.interjectionsMade < script.interjections.length
  return {
    state: { ...state, agentSpeaking: true, owesReply: false },
    actions: willInterject
      ? [{ type: 'setTimer', name: 'interject', inMs: INTERJECTS_AFTER_MS - sinceMs }]
      : [],
  }
}

function agentPaused(
  script: PersonScript,
  state: PersonState,
  { atMs, endedAtMs }: { atMs: number; endedAtMs: number },
): Reaction<PersonState> {
  const isSayingLine = state.speaking !== null && !BACKCHANNELS.has(state.speaking)
  const gaveWay = isSayingLine || endedAtMs < state.lineEndedAtMs + GIVING_WAY_MS
  if (gaveWay) return only({ ...state, agentSpeaking: false, owesReply: false })
  return {
    state: { ...state, agentSpeaking: false, owesReply: true },
    actions: [{ type: 'setTimer', name: 'reply', inMs: script.reactionMs - (atMs - endedAtMs) }],
  }
}

function clipFinished(
  script: PersonScript,
  state: PersonState,
  { clip, atMs }: { clip: CalleeClipId; atMs: number },
): Reaction<PersonState> {
  const quiet = {
    ...state,
    speaking: null,
    lineEndedAtMs: BACKCHANNELS.has(clip) ? state.lineEndedAtMs : atMs,
  }
  if (clip === script.farewell) {
    return { state: quiet, actions: [{ type: 'setTimer', name: 'hangUp', inMs: LINGERS_MS }] }
  }
  if (!state.owesReply) return only(quiet)
  return { state: quiet, actions: [{ type: 'setTimer', name: 'reply', inMs: script.reactionMs }] }
}

function timerFired(
  script: PersonScript,
  state: PersonState,
  name: CalleeTimer,
): Reaction<PersonState> {
  const isFree = state.speaking === null
  switch (name) {
    case 'speak':
      return isFree && !state.agentSpeaking && !state.owesReply
        ? say(state, script.greeting)
        : only(state)
    case 'reply':
      return isFree && state.owesReply ? reply(script, state) : only(state)
    case 'interject':
      return isFree && state.agentSpeaking ? interject(script, state) : only(state)
    case 'silence':
      return only(state)
    case 'hangUp':
      return { state, actions: [{ type: 'hangUp' }] }
  }
}

function reply(script: PersonScript, state: PersonState): Reaction<PersonState> {
  const settled = { ...state, owesReply: false }
  if (state.saidFarewell) return only(settled)
  const answer = state.heardGoodbye ? undefined : script.answers[state.answersGiven]
  return answer === undefined
    ? say({ ...settled, saidFarewell: true }, script.farewell)
    : say({ ...settled, answersGiven: state.answersGiven + 1 }, answer)
}

function interject(script: PersonScript, state: PersonState): Reaction<PersonState> {
  const clip = script.interjections[state.interjectionsMade] ?? null
  return say({ ...state, interjectionsMade: state.interjectionsMade + 1 }, clip)
}

function say(state: PersonState, clip: CalleeClipId | null): Reaction<PersonState> {
  return clip === null
    ? only(state)
    : { state: { ...state, speaking: clip }, actions: [{ type: 'playClip', clip }] }
}

function only(state: PersonState): Reaction<PersonState> {
  return { state, actions: [] }
}
