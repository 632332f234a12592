/** Timers as state: an alarm that was replaced or cleared on its way to the reducer is told by it. */

import type { TimerName } from './conversation-event.ts'
import type { ConversationState, Rule } from './conversation-state.ts'
import { change } from './step.ts'

/**
 * Alarms that ring when the callee's audio was heard up to their moment, however late it arrives: a
 * process that stands still must not make a short sound long.
 */
export const HEARD_TIMERS: ReadonlySet<TimerName> = new Set(['interruption'])

export function arm(name: TimerName, inMs: number): Rule {
  return (state) => {
    const delayMs = Math.max(0, inMs)
    return change(
      state,
      { timers: { ...state.timers, [name]: state.atMs + delayMs } },
      { type: 'setTimer', name, inMs: delayMs },
    )
  }
}

/** Due at a moment of the session. */
export function armAt(name: TimerName, dueAtMs: number): Rule {
  return (state) => arm(name, dueAtMs - state.atMs)(state)
}

export function disarm(...names: readonly TimerName[]): Rule {
  return (state) => {
    const running = names.filter((name) => state.timers[name] !== undefined)
    if (running.length === 0) return { state, commands: [] }
    const timers = Object.fromEntries(
      Object.entries(state.timers).filter(([name]) => !running.some((other) => other === name)),
    )
    const commands = running.map((name) => ({ type: 'clearTimer', name }) as const)
    return change(state, { timers }, ...commands)
  }
}

/** Restarts the wait for any sound of the callee. */
export const awaitSound: Rule = (state) =>
  arm('inactivity', state.settings.timing.inactivityMs)(state)

export const disarmAll: Rule = (state) =>
  disarm(...(Object.keys(state.timers) as TimerName[]))(state)

/** Timers of the machine may be this much early. */
const EARLY_MS = 20

/** The moment that a timer was for, without the timer; null when it was replaced or cleared meanwhile. */
export function ring(state: ConversationState, name: TimerName): ConversationState | null {
  const due = state.timers[name]
  if (due === undefined || state.atMs + EARLY_MS < due) return null
  const { [name]: _rung, ...timers } = state.timers
  return { ...state, timers, atMs: Math.max(state.atMs, due) }
}
