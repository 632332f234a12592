/** While a speech-to-speech model holds the conversation: what it says and calls, and its failures. */

import { heardText } from '#shared/audio/heard-text.ts'

import { stopAgent, withoutUtterances } from './agent-turn.ts'
import { close } from './closing.ts'
import type { ConversationEvent } from './conversation-event.ts'
import type { ConversationState, Rule, Speech } from './conversation-state.ts'
import { END_CALL_TOOL } from './end-call-tool.ts'
import { endByTool } from './floor.ts'
import { addUtterance, awaitModel, haveModelSpeak, noteAsked } from './realtime-floor.ts'
import { hearPlayoutFlushed } from './speaking.ts'
import { change, inOrder, nothing } from './step.ts'
import { LOST_SENTENCE } from './stock-sentences.ts'
import { hearToolAnswer, MAX_FAILURES } from './thinking.ts'
import { awaitSound, disarm } from './timers.ts'
import { commitUserTurn, speechesOf } from './turn-record.ts'

type Of<Type extends ConversationEvent['type']> = ConversationEvent & { readonly type: Type }

const GO_ON_NOTE = 'Go on with the conversation.'

/** What the callee does, heard by the model as well. */
export function hearBesideModel(event: ConversationEvent): Rule {
  return (state) => {
    switch (event.type) {
      case 'speechStarted':
        return disarm('inactivity', 'llmFirstToken')(state)
      case 'speechEnded':
        return state.agent === null ? awaitSound(state) : nothing(state)
      case 'finalTranscript':
        return inOrder(state, commitUserTurn, isAnswered(state) ? nothing : awaitModel)
      default:
        return nothing(state)
    }
  }
}

/** The model may answer before it tells what it has heard. */
function isAnswered({ agent, realtime, user, hearing, atMs }: ConversationState): boolean {
  const begunAtMs = realtime?.begunAtMs ?? null
  const isLater = begunAtMs !== null && begunAtMs >= (user.startedAtMs ?? atMs)
  return agent !== null || isLater || hearing.isSpeech
}

export function utteranceBegins({ utterance }: Of<'modelBegan'>): Rule {
  return (state) => {
    const { agent, realtime } = state
    if (realtime === null || realtime.cut.includes(utterance)) return nothing(state)
    if (utteranceOf(state, utterance) !== undefined && agent !== null) return nothing(state)
    if (state.phase === 'realtime') return addUtterance(utterance)(state)
    return change(
      state,
      { realtime: withoutUtterances(realtime, [utterance]) },
      { type: 'cutModel', utterance, heardMs: 0 },
    )
  }
}

function utteranceOf({ agent, stopped }: ConversationState, id: string): Speech | undefined {
  return [agent, stopped]
    .flatMap((turn) => (turn === null ? [] : speechesOf(turn)))
    .find((speech) => speech.isModels && speech.id === id)
}

/** The words may come a little before their audio. */
export function utteranceGoesOn(event: Of<'modelText'>): Rule {
  return (state) =>
    inOrder(state, utteranceBegins({ ...event, type: 'modelBegan' }), (now) => {
      if (now.agent === null) return nothing(now)
      const parts = now.agent.parts.map((part) =>
        part.type === 'speech' && part.id === event.utterance
          ? { ...part, text: part.text + event.text }
          : part,
      )
      return change(now, { agent: { ...now.agent, parts } })
    })
}

/** The callee speaks, and the model has noticed. */
export const modelGivesWay: Rule = (state) =>
  state.phase === 'realtime' ? inOrder(state, stopAgent, awaitSound) : nothing(state)

/** The session tells how long an utterance was heard; which words that makes is known here. */
export function hearFlush(event: Of<'playoutFlushed'>): Rule {
  return (state) => {
    const { speechId: utterance, heardMs = 0, saidMs = 0 } = event
    const speech = utteranceOf(state, utterance)
    if (speech === undefined) return hearPlayoutFlushed(event)(state)
    const totalMs = Math.max(saidMs, heardMs)
    const text = heardText({ text: speech.text, words: [], heardMs, totalMs })
    return inOrder(state, hearPlayoutFlushed({ ...event, heardText: text }), (now) =>
      change(now, {}, { type: 'cutModel', utterance, heardMs }),
    )
  }
}

/** Other tools than `end_call` are answered to the model, however long that takes. */
export function useModelTool({ call }: Of<'modelToolCall'>): Rule {
  return (state) => {
    const { agent, realtime } = state
    if (realtime === null || state.phase !== 'realtime') return nothing(state)
    if (call.name === END_CALL_TOOL.name) {
      if (agent === null) return endByTool(state)
      return change(state, {
        agent: { ...agent, isEnding: true },
        realtime: { ...realtime, endCallId: call.id },
      })
    }
    const { id: callId, name, arguments: json } = call
    return inOrder(state, disarm('llmFirstToken', 'inactivity'), (now) =>
      change(
        now,
        { lateTools: [...now.lateTools, { type: 'tool', call, answer: null }] },
        { type: 'callTool', callId, name, arguments: json },
      ),
    )
  }
}

/** A goodbye is taken back; whatever else was called is done all the same. */
export function forgetModelTool({ callId }: Of<'modelToolCancelled'>): Rule {
  return (state) =>
    state.agent === null || state.realtime?.endCallId !== callId
      ? nothing(state)
      : change(state, { agent: { ...state.agent, isEnding: false } })
}

export function answerTool(event: Of<'toolAnswered'>): Rule {
  return (state) => {
    const { callId, output } = event
    const isModels =
      state.phase === 'realtime' && state.lateTools.some((use) => use.call.id === callId)
    if (!isModels) return hearToolAnswer(event)(state)
    return inOrder(
      state,
      hearToolAnswer(event),
      (now) => change(now, {}, { type: 'answerModelTool', callId, output }),
      noteAsked,
      awaitModel,
    )
  }
}

/** Nothing came of the model although something should have. */
export const modelFails: Rule = (state) => {
  if (state.phase !== 'realtime') return nothing(state)
  const failures = state.failures + 1
  return failures < MAX_FAILURES
    ? haveModelSpeak(GO_ON_NOTE)({ ...state, failures })
    : modelIsLost({ ...state, failures })
}

export const modelIsLost: Rule = (state) =>
  close({ endedBy: 'system', endReason: null }, LOST_SENTENCE)(state)
