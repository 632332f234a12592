/**
 * A machine stands between the agent and the person: a screening assistant, or a phone menu. The agent
 * answers it when it has finished, then is silent, and whoever speaks next is classified anew.
 */

import { stopAgent } from './agent-turn.ts'
import { close } from './closing.ts'
import type { ConversationState, Gate, Rule } from './conversation-state.ts'
import type { Machine } from './read-answer.ts'
import { change, inOrder } from './step.ts'
import { arm, armAt, disarm } from './timers.ts'
import { setResult } from './verdict.ts'

export const GATE_OF = {
  menu: 'IVR',
  screening: 'handset-screening-filter',
} as const satisfies Partial<Record<Machine, Gate['kind']>>

/** A menu is gone through only where the assistant may; a screening assistant is always answered. */
export function enterGate(kind: Gate['kind']): Rule {
  return (state) => {
    if (kind === 'IVR' && !state.settings.ivrNavigationEnabled) {
      return inOrder(state, setResult('IVR'), giveUpMenu)
    }
    return inOrder(
      { ...state, resume: null, openedAtMs: null, gate: { kind, prompts: [], answers: 0 } },
      setResult(kind),
      stopAgent,
      disarm('opening', 'machine', 'endpoint', 'interruption', 'falseInterruption', 'inactivity'),
      (now) => change(now, { phase: 'gate' }),
      armPatience,
      armEndOfPrompt,
    )
  }
}

export const giveUpMenu: Rule = close({ endedBy: 'agent', endReason: 'ivr_no_navigate' }, null)

/** Nobody was let through to for too long. */
export const giveUpGate: Rule = (state) =>
  state.gate?.kind === 'IVR'
    ? giveUpMenu(state)
    : close({ endedBy: 'agent', endReason: 'user_unavailable' }, null)(state)

const armPatience: Rule = (state) => {
  const { screeningWaitMs, menuWaitMs } = state.settings.timing
  return arm('gate', state.gate?.kind === 'IVR' ? menuWaitMs : screeningWaitMs)(state)
}

/** Due when what is said at the gate is over. */
export const armEndOfPrompt: Rule = (state) => {
  const { hearing, settings, atMs } = state
  if (hearing.isSpeech) return disarm('endpoint')(state)
  return armAt('endpoint', (hearing.lastAtMs ?? atMs) + settings.timing.gateSilenceMs)(state)
}

/** The agent has had its say: what comes next is a new greeting, of whoever it is. */
export const awaitGate: Rule = (state) =>
  inOrder(
    { ...state, greeting: newGreeting(state) },
    armPatience,
    state.user.startedAtMs === null ? disarm('endpoint') : armEndOfPrompt,
  )

export function newGreeting(state: ConversationState): ConversationState['greeting'] {
  return { sinceMs: state.atMs, speechMs: 0, opinion: null }
}
