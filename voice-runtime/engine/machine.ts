/** A machine has answered: wait until it records, leave the message, hang up. */

import { stopAgent } from './agent-turn.ts'
import { close } from './closing.ts'
import type { Closing, Rule } from './conversation-state.ts'
import { enterGate, GATE_OF } from './gate.ts'
import { readAnswer } from './read-answer.ts'
import { change, inOrder, nothing } from './step.ts'
import { arm, armAt, disarm } from './timers.ts'
import { guessedText } from './user-turn.ts'
import { setResult } from './verdict.ts'

const VOICEMAIL: Closing = { endedBy: 'agent', endReason: 'voicemail' }

/** `isBeepOver`: the machine records already. */
export function enterMachine(isBeepOver: boolean): Rule {
  return (state) => {
    const { voicemailMessage, timing } = state.settings
    if (voicemailMessage === null)
      return inOrder(state, setResult('voicemail'), close(VOICEMAIL, null))
    return inOrder(
      { ...state, resume: null },
      setResult('voicemail'),
      stopAgent,
      disarm('opening', 'endpoint', 'falseInterruption', 'inactivity'),
      (now) => change(now, { phase: 'machine' }),
      arm('machine', timing.machineCapMs),
      isBeepOver ? leaveMessage : watchMachine,
    )
  }
}

/** The message may begin when the machine has been silent for `machineSilenceMs`. */
export const watchMachine: Rule = (state) => {
  const { hearing, settings, atMs } = state
  const { machine } = readAnswer(guessedText(state.user))
  if (machine === 'menu' || machine === 'screening') return enterGate(GATE_OF[machine])(state)
  if (hearing.isSpeech) return disarm('endpoint')(state)
  return armAt('endpoint', (hearing.lastAtMs ?? atMs) + settings.timing.machineSilenceMs)(state)
}

/** Nothing that the machine says stops it. */
export const leaveMessage: Rule = (state) =>
  state.phase === 'machine'
    ? close(VOICEMAIL, state.settings.voicemailMessage)(state)
    : nothing(state)
