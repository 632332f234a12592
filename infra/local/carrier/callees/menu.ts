import type { CalleeClipId } from '#shared/audio/clips/callee-clips.ts'

import type { Callee, CalleeAction, CalleeEvent, Reaction } from '../callee.ts'

/** Where in the menu the caller is. */
type Level = 'main' | 'orders'

export interface MenuState<Person> {
  readonly level: Level
  /** Of this level's prompt, for want of a key. */
  readonly repeats: number
  /** Set when the caller is through; everything is the person's from then on. */
  readonly person: Person | null
}

const GREETING_AFTER_MS = 300
/** After this much silence the prompt is said again. */
const PATIENCE_MS = 6_000
const MAX_REPEATS = 3
/** A key was pressed: no prompt is repeated while the answer to it is said. */
const ANSWERED: CalleeAction = { type: 'setTimer', name: 'silence', inMs: 30_000 }
/** From the last word of the menu to the person. */
const PUT_THROUGH_AFTER_MS = 2_000

const PROMPTS: Readonly<Record<Level, CalleeClipId>> = { main: 'menu', orders: 'menu_orders' }
const CONNECTING: CalleeClipId = 'menu_sales'
const INVALID: CalleeClipId = 'menu_invalid'

/** Sales, then new or existing orders, then somebody; support leads there at once. */
const NEXT: Readonly<Record<Level, Readonly<Record<string, Level | 'person'>>>> = {
  main: { '1': 'orders', '2': 'person' },
  orders: { '1': 'person', '2': 'person' },
}

/** A phone menu of two levels, and whoever is behind it. */
export function menu<Person>(behind: Callee<Person>): Callee<MenuState<Person>> {
  const initial: MenuState<Person> = { level: 'main', repeats: 0, person: null }
  return { initial, react: (state, event) => react(behind, state, event) }
}

function react<Person>(
  behind: Callee<Person>,
  state: MenuState<Person>,
  event: CalleeEvent,
): Reaction<MenuState<Person>> {
  if (state.person !== null) return reactAs(behind, state, state.person, event)
  switch (event.type) {
    case 'answered':
      return { state, actions: [{ type: 'setTimer', name: 'speak', inMs: GREETING_AFTER_MS }] }
    case 'agentKey':
      return press(state, event.digit)
    case 'clipFinished':
      return {
        state,
        actions: [
          event.clip === CONNECTING
            ? { type: 'setTimer', name: 'reply', inMs: PUT_THROUGH_AFTER_MS }
            : { type: 'setTimer', name: 'silence', inMs: PATIENCE_MS },
        ],
      }
    case 'timer':
      if (event.name === 'speak') return { state, actions: [prompt(state.level)] }
      if (event.name === 'silence') return repeat(state)
      if (event.name === 'reply') {
        return reactAs(behind, state, behind.initial, { ...event, type: 'answered' })
      }
      return { state, actions: [] }
    default:
      return { state, actions: [] }
  }
}

function press<Person>(state: MenuState<Person>, digit: string): Reaction<MenuState<Person>> {
  const next = NEXT[state.level][digit]
  if (next === undefined) {
    return { state, actions: [ANSWERED, { type: 'playClip', clip: INVALID }, prompt(state.level)] }
  }
  if (next === 'person')
    return { state, actions: [ANSWERED, { type: 'playClip', clip: CONNECTING }] }
  return { state: { ...state, level: next, repeats: 0 }, actions: [ANSWERED, prompt(next)] }
}

function repeat<Person>(state: MenuState<Person>): Reaction<MenuState<Person>> {
  if (state.repeats >= MAX_REPEATS) return { state, actions: [{ type: 'hangUp' }] }
  return { state: { ...state, repeats: state.repeats + 1 }, actions: [prompt(state.level)] }
}

function prompt(level: Level): CalleeAction {
  return { type: 'playClip', clip: PROMPTS[level] }
}

function reactAs<Person>(
  behind: Callee<Person>,
  state: MenuState<Person>,
  person: Person,
  event: CalleeEvent,
): Reaction<MenuState<Person>> {
  const reaction = behind.react(person, event)
  return { state: { ...state, person: reaction.state }, actions: reaction.actions }
}
