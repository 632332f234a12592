/**
 * A speech-to-speech model holds the conversation from the moment on at which the floor would be the
 * callee's: it hears, thinks, speaks and takes turns by itself.
 */

import { messagesFor, newTurn, takeTurn } from './agent-turn.ts'
import type { ConversationState, Rule, Speech } from './conversation-state.ts'
import { change, inOrder, nothing } from './step.ts'
import { arm, awaitSound, disarm } from './timers.ts'
import { commitUserTurn } from './turn-record.ts'

const ANSWER_NOTE = 'Answer what the person has just said.'

/** The model listens; what was said before is told to it, and answered when it waits for an answer. */
export const letModelTalk: Rule = (state) => {
  const isQuestion = state.user.pieces.length > 0 && !state.hearing.isSpeech
  return inOrder(
    state,
    handOver,
    isQuestion && state.realtime === null ? haveModelSpeak(ANSWER_NOTE) : nothing,
  )
}

/** The model opens the conversation. */
export function letModelOpen(instructions: string): Rule {
  return (state) => inOrder(state, handOver, haveModelSpeak(instructions))
}

const handOver: Rule = (state) => {
  const talking = { ...state, phase: 'realtime' as const }
  if (state.realtime !== null) return awaitSound(talking)
  const { user, hearing } = state
  const isOpen = hearing.isSpeech || user.interim !== ''
  const hearFromMs = isOpen ? (user.pieces.at(-1)?.endedAtMs ?? user.startedAtMs) : null
  return inOrder(
    { ...talking, user: { ...user, interim: '' } },
    disarm('opening', 'machine', 'endpoint', 'interruption', 'falseInterruption'),
    awaitSound,
    commitUserTurn,
    (now) =>
      change(
        now,
        { realtime: { cut: [], begunAtMs: null, askedAtMs: null, endCallId: null, fillers: 0 } },
        { type: 'letModelListen', hearFromMs, said: saidBefore(now) },
      ),
  )
}

function saidBefore({ history }: ConversationState) {
  return history.flatMap((item) => {
    if (item.type === 'tool') return []
    return [{ role: item.type === 'user' ? 'user' : 'assistant', content: item.text } as const]
  })
}

/** It speaks now; it is told why in words that nobody hears. */
export function haveModelSpeak(instructions: string): Rule {
  return (state) =>
    inOrder(
      state,
      disarm('inactivity'),
      (now) => change(now, {}, { type: 'haveModelSpeak', instructions }),
      noteAsked,
      awaitModel,
    )
}

/** Something must come of the model by then. */
export const awaitModel: Rule = (state) =>
  arm('llmFirstToken', state.settings.timing.llmFirstTokenMs)(state)

/** The model was told something that it should answer. */
export const noteAsked: Rule = (state) =>
  state.realtime === null
    ? nothing(state)
    : change(state, { realtime: { ...state.realtime, askedAtMs: state.atMs } })

/** The next utterance of the model joins the turn that is going on, or begins one. */
export function addUtterance(id: string): Rule {
  return (state) =>
    inOrder(
      state,
      state.agent === null ? takeTurn(newTurn('answer')) : nothing,
      withOrigin,
      disarm('llmFirstToken', 'inactivity'),
      (now) => {
        const { agent, realtime, atMs } = now
        if (agent === null || realtime === null) return nothing(now)
        const speech: Speech = { ...UTTERANCE, id }
        return change(
          now,
          {
            agent: { ...agent, parts: [...agent.parts, speech] },
            realtime: { ...realtime, begunAtMs: atMs, fillers: 0 },
          },
          { type: 'queueUtterance', utterance: id },
        )
      },
    )
}

const UTTERANCE = {
  type: 'speech',
  text: '',
  status: 'ready',
  isFiller: false,
  isModels: true,
  heardText: '',
} as const

/** What the speech event tells of the model (spec 2.10): from the end of the question to the first words. */
const withOrigin: Rule = (state) => {
  const { agent, realtime, hearing, settings, atMs } = state
  if (agent === null || realtime === null || agent.llmModel !== null) return nothing(state)
  const askedAtMs = Math.max(realtime.askedAtMs ?? 0, hearing.lastAtMs ?? 0)
  return change(state, {
    agent: {
      ...agent,
      llmModel: settings.realtimeModel,
      llmPrompt: JSON.stringify(messagesFor(state, agent)),
      llmTtftMs: atMs - askedAtMs,
    },
  })
}
