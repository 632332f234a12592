/** What the agent makes of everything that is said at a gate, and what it answers. */

import { ask, newTurn, stopAgent } from './agent-turn.ts'
import { cancelInquiry, inquire } from './answer-inquiry.ts'
import { answerVerdict, isPersonLike } from './answer-verdict.ts'
import type { Gate, Rule } from './conversation-state.ts'
import { armEndOfPrompt, awaitGate, GATE_OF, giveUpMenu } from './gate.ts'
import { enterMachine } from './machine.ts'
import { takeFloor } from './opening.ts'
import { plainText } from './phrase-pattern.ts'
import { readAnswer } from './read-answer.ts'
import { inOrder, nothing } from './step.ts'
import { MENU_NOTE, SCREENING_NOTE } from './stock-sentences.ts'
import { arm, disarm } from './timers.ts'
import { commitUserTurn, dismissUserTurn } from './turn-record.ts'
import { guessedText } from './user-turn.ts'
import { evidenceOf, setResult } from './verdict.ts'

/** A menu that says the same so often leads nowhere, and neither do so many answers. */
const MAX_REPEATS = 3
const MAX_ANSWERS = 10
/** A screening assistant may ask back. */
const MAX_SCREENING_ANSWERS = 3

/** Something was heard. What the agent prepares is dropped, what it says is said to its end. */
export const hearAtGate: Rule = (state) => {
  if (state.agent?.startedAtMs != null) return nothing(state)
  if (state.agent !== null) return inOrder(state, stopAgent, armEndOfPrompt)
  const isMailbox = readAnswer(guessedText(state.user)).machine === 'voicemail'
  return isMailbox ? leaveGate(enterMachine(false))(state) : armEndOfPrompt(state)
}

/** Something was said at the gate, and is over. */
export const promptOver: Rule = (state) => {
  const text = guessedText(state.user)
  if (state.gate === null || state.agent !== null) return nothing(state)
  // Music, or a click in the line.
  if (text === '') return dismissUserTurn(state)
  const reading = readAnswer(text)
  if (reading.machine === 'voicemail') return leaveGate(enterMachine(false))(state)
  if (reading.machine !== null) return answerGate(GATE_OF[reading.machine])(state)
  if (reading.isHold && !reading.isPerson) return inOrder(state, commitUserTurn, awaitGate)
  return judge(state)
}

/** Neither a known prompt nor a request to wait. */
const judge: Rule = (state) => {
  const { timing } = state.settings
  const evidence = evidenceOf(state, false)
  const verdict = answerVerdict(evidence, timing)
  switch (verdict) {
    case 'human':
      // What a menu says at length without a word that gives it away.
      if (state.gate?.kind === 'IVR' && !isPersonLike(evidence, timing)) {
        return answerGate('IVR')(state)
      }
      return leaveGate((now) => inOrder(now, setResult('human'), takeFloor))(state)
    case 'voicemail':
      return leaveGate(enterMachine(false))(state)
    case 'IVR':
    case 'handset-screening-filter':
      return answerGate(verdict)(state)
    case 'doubtful':
      return inOrder(state, inquire, arm('endpoint', timing.opinionMs))
    case 'undecided':
    case 'unknown':
      return arm('endpoint', timing.gateSilenceMs)(state)
  }
}

function leaveGate(next: Rule): Rule {
  return (state) => inOrder({ ...state, gate: null }, cancelInquiry, disarm('gate'), next)
}

/** Asks the model for the one thing that is said, or pressed, now. */
function answerGate(kind: Gate['kind']): Rule {
  return (state) => {
    if (state.gate === null) return nothing(state)
    const prompt = plainText(guessedText(state.user))
    const gate: Gate = {
      kind,
      prompts: [...state.gate.prompts, prompt],
      answers: state.gate.answers + 1,
    }
    if (kind === 'IVR' && (!state.settings.ivrNavigationEnabled || isLoop(gate, prompt))) {
      return inOrder(state, setResult(kind), giveUpMenu)
    }
    if (kind !== 'IVR' && gate.answers > MAX_SCREENING_ANSWERS) {
      return inOrder(state, commitUserTurn, awaitGate)
    }
    const note = kind === 'IVR' ? MENU_NOTE : SCREENING_NOTE
    return inOrder(
      { ...state, gate, agent: newTurn('gate', note) },
      setResult(kind),
      cancelInquiry,
      disarm('endpoint', 'gate'),
      ask,
    )
  }
}

function isLoop(gate: Gate, prompt: string): boolean {
  const repeats = gate.prompts.filter((each) => each === prompt).length
  return repeats >= MAX_REPEATS || gate.answers > MAX_ANSWERS
}
