/** Everything that a conversation of a speech-to-speech model knows: plain immutable data. */

import type { AttemptResult } from '#shared/domain/call-attempt/attempt.ts'
import type { ToolCall } from '#shared/domain/chat.ts'

import type { TimerName } from './conversation-event.ts'
import type { Closing } from './conversation-state.ts'
import type { RealtimeCommand } from './realtime-event.ts'
import type { ConversationSettings } from './settings.ts'

/**
 * | Phase | Entered when | Left when |
 * |---|---|---|
 * | `waiting` | the call begins; the model hears nothing | the floor is free for the first sentence: `talking` |
 * | `talking` | the model holds the conversation | the end is decided: `closing` |
 * | `closing` | nothing the callee says matters | last words heard, or none: `ended` |
 * | `ended` | `finish` was given | never |
 */
export type RealtimePhase = 'waiting' | 'talking' | 'closing' | 'ended'

/** All times are ms since the media session began. */
export interface RealtimeState {
  readonly settings: ConversationSettings
  readonly phase: RealtimePhase
  readonly atMs: number
  readonly result: AttemptResult | null
  /** When the callee's latest stretch of speech began and ended; null before, and while it lasts. */
  readonly calleeStartedAtMs: number | null
  readonly calleeStoppedAtMs: number | null
  /** What is queued or plays, in order. */
  readonly speeches: readonly RealtimeSpeech[]
  /** Utterances of which no more is wanted. */
  readonly cut: readonly string[]
  /** Tools that have not answered. */
  readonly calls: readonly ToolCall[]
  /** The model has called `end_call`; what it said before is still to be heard. */
  readonly endCallId: string | null
  /** When the model last began to speak. */
  readonly begunAtMs: number | null
  readonly inactivityPrompts: number
  /** Answers in a row that did not come. */
  readonly failures: number
  readonly closing: Closing | null
  readonly timers: Readonly<Partial<Record<TimerName, number>>>
  readonly speechCount: number
}

export interface RealtimeSpeech {
  readonly id: string
  /** Whether the model says it, or the assistant's own voice. */
  readonly isModels: boolean
  readonly text: string
  readonly startedAtMs: number | null
}

export interface RealtimeStep {
  readonly state: RealtimeState
  readonly commands: readonly RealtimeCommand[]
}

export type RealtimeRule = (state: RealtimeState) => RealtimeStep

export const nothing: RealtimeRule = (state) => ({ state, commands: [] })

export function change(
  state: RealtimeState,
  patch: Partial<RealtimeState>,
  ...commands: readonly RealtimeCommand[]
): RealtimeStep {
  return { state: { ...state, ...patch }, commands }
}

/** Each rule works on what the one before it left. */
export function inOrder(state: RealtimeState, ...rules: readonly RealtimeRule[]): RealtimeStep {
  let current = state
  const commands: RealtimeCommand[] = []
  for (const rule of rules) {
    const step = rule(current)
    current = step.state
    commands.push(...step.commands)
  }
  return { state: current, commands }
}

export function arm(name: TimerName, inMs: number): RealtimeRule {
  return (state) => {
    const timers = { ...state.timers, [name]: state.atMs + inMs }
    return change(state, { timers }, { type: 'setTimer', name, inMs })
  }
}

export function disarm(...names: readonly TimerName[]): RealtimeRule {
  return (state) => {
    const running = names.filter((name) => state.timers[name] !== undefined)
    const kept = Object.entries(state.timers).filter(
      ([name]) => !running.includes(name as TimerName),
    )
    const commands = running.map((name) => ({ type: 'clearTimer', name }) as const)
    return running.length === 0
      ? nothing(state)
      : change(state, { timers: Object.fromEntries(kept) }, ...commands)
  }
}
