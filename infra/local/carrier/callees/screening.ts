import type { Callee, CalleeAction, CalleeEvent, Reaction } from '../callee.ts'

export interface ScreeningState<Person> {
  /** The assistant asks; then it has an answer and goes to ask the person. */
  readonly isAnswered: boolean
  readonly callerSpeaksSinceMs: number | null
  /** Set when the person has taken the call. */
  readonly person: Person | null
}

const GREETING_AFTER_MS = 300
/** A caller who says nothing for so long is refused. */
const PATIENCE_MS = 8_000
/** Name and reason take longer than this. */
const SHORTEST_ANSWER_MS = 800
const ANSWER_OVER_MS = 1_000
/** The person reads what was said. */
const READS_FOR_MS = 3_000
const HANGS_UP_AFTER_MS = 500

/**
 * A handset's screening assistant: asks for name and reason, and puts callers who give them through
 * to `behind`; when that is null, to nobody.
 */
export function screening<Person>(behind: Callee<Person> | null): Callee<ScreeningState<Person>> {
  return {
    initial: { isAnswered: false, callerSpeaksSinceMs: null, person: null },
    react: (state, event) => react(behind, state, event),
  }
}

function react<Person>(
  behind: Callee<Person> | null,
  state: ScreeningState<Person>,
  event: CalleeEvent,
): Reaction<ScreeningState<Person>> {
  if (behind !== null && state.person !== null) {
    return reactAs(behind, state, state.person, event)
  }
  switch (event.type) {
    case 'answered':
      return { state, actions: [wait('speak', GREETING_AFTER_MS)] }
    case 'clipFinished':
      if (event.clip === 'screening') return { state, actions: [wait('silence', PATIENCE_MS)] }
      if (event.clip === 'screening_wait') return { state, actions: [wait('reply', READS_FOR_MS)] }
      return { state, actions: [wait('hangUp', HANGS_UP_AFTER_MS)] }
    case 'agentSpeechStarted':
      return { state: { ...state, callerSpeaksSinceMs: event.startedAtMs }, actions: [] }
    case 'agentSpeechEnded':
      return hearAnswer(state, event.endedAtMs)
    case 'timer':
      return timerFired(behind, state, event)
    default:
      return { state, actions: [] }
  }
}

function hearAnswer<Person>(
  state: ScreeningState<Person>,
  endedAtMs: number,
): Reaction<ScreeningState<Person>> {
  const spokenMs = endedAtMs - (state.callerSpeaksSinceMs ?? endedAtMs)
  const quiet = { ...state, callerSpeaksSinceMs: null }
  if (state.isAnswered || spokenMs < SHORTEST_ANSWER_MS) return { state: quiet, actions: [] }
  return { state: { ...quiet, isAnswered: true }, actions: [wait('interject', ANSWER_OVER_MS)] }
}

function timerFired<Person>(
  behind: Callee<Person> | null,
  state: ScreeningState<Person>,
  event: CalleeEvent & { readonly type: 'timer' },
): Reaction<ScreeningState<Person>> {
  switch (event.name) {
    case 'speak':
      return { state, actions: [{ type: 'playClip', clip: 'screening' }] }
    case 'interject':
      return { state, actions: [{ type: 'playClip', clip: 'screening_wait' }] }
    case 'silence':
      return { state, actions: state.isAnswered ? [] : [REFUSE] }
    case 'reply':
      if (behind === null) return { state, actions: [REFUSE] }
      return reactAs(behind, state, behind.initial, { ...event, type: 'answered' })
    case 'hangUp':
      return { state, actions: [{ type: 'hangUp' }] }
  }
}

const REFUSE: CalleeAction = { type: 'playClip', clip: 'not_available' }

function wait(
  name: 'speak' | 'interject' | 'silence' | 'reply' | 'hangUp',
  inMs: number,
): CalleeAction {
  return { type: 'setTimer', name, inMs }
}

function reactAs<Person>(
  behind: Callee<Person>,
  state: ScreeningState<Person>,
  person: Person,
  event: CalleeEvent,
): Reaction<ScreeningState<Person>> {
  const reaction = behind.react(person, event)
  return { state: { ...state, person: reaction.state }, actions: reaction.actions }
}
