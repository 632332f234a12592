/** How the agent asks its model, speaks and stops. */

import type { ConversationCommand } from './conversation-command.ts'
import type {
  AgentTurn,
  ConversationState,
  Realtime,
  Rule,
  Speech,
  TurnPurpose,
} from './conversation-state.ts'
import { toolsFor } from './engine-tools.ts'
import { toMessages } from './history.ts'
import type { HistoryItem } from './history.ts'
import { change, inOrder, nothing } from './step.ts'
import { FILLERS, OPENING_FILLERS } from './stock-sentences.ts'
import { arm, disarm } from './timers.ts'
import { plannedItems, settleStopped, speechesOf, unansweredTools } from './turn-record.ts'
import { guessedText } from './user-turn.ts'

/** The answer to a flush takes some ms; a session that gives none must not hold up the call. */
export const FLUSH_ANSWER_MS = 500
/** A tool that says nothing for this long has failed. The session's own limit is shorter. */
export const TOOL_ANSWER_MS = 30_000

/** Utterances that were cut are forgotten when so many others were. */
const CUT_MAX = 50

const BLANK: Omit<AgentTurn, 'purpose' | 'note'> = {
  number: 0,
  answers: '',
  isHeld: false,
  heldCalls: [],
  parts: [],
  pendingText: '',
  toolRounds: 0,
  fillers: 0,
  isEnding: false,
  isVoiceRetried: false,
  isWaitingForTools: false,
  startedAtMs: null,
  stoppedAtMs: null,
  wasCut: false,
  llmPrompt: null,
  llmTtftMs: null,
  llmModel: null,
  ttsTtfbMs: null,
}

/** `note` tells the model what this turn is for, when it is no plain answer. */
export function newTurn(purpose: TurnPurpose, note: string | null = null): AgentTurn {
  return { ...BLANK, purpose, note }
}

/** The turn is the agent's now. */
export function takeTurn(turn: AgentTurn): Rule {
  return (state) => {
    const turnCount = state.turnCount + 1
    const agent = { ...turn, number: turnCount, answers: guessedText(state.user) }
    const commands: readonly ConversationCommand[] = turn.isHeld
      ? [{ type: 'holdPlayout', isHeld: true }]
      : []
    return change(state, { agent, turnCount }, ...commands)
  }
}

/** Silence, now. A turn that is held stays held. */
export const flushQueued: Rule = (state) => {
  const hold: readonly ConversationCommand[] =
    state.agent?.isHeld === true ? [{ type: 'holdPlayout', isHeld: true }] : []
  return change(state, {}, { type: 'flushPlayout' }, ...hold)
}

/** The callee's turn is over: what was prepared for it may be heard. */
export const releaseTurn: Rule = (state) => {
  const { agent } = state
  if (agent === null || !agent.isHeld) return nothing(state)
  return change(
    state,
    { agent: { ...agent, isHeld: false } },
    { type: 'holdPlayout', isHeld: false },
  )
}

/** Speaks, after what this turn has already to say. */
export function say(texts: readonly string[], isFiller = false): Rule {
  return (state) => {
    if (state.agent === null || texts.length === 0) return nothing(state)
    const speeches = texts.map((text, index): Speech => {
      const id = `sp-${state.speechCount + index + 1}`
      return {
        type: 'speech',
        id,
        text,
        status: 'queued',
        isFiller,
        isModels: false,
        heardText: '',
      }
    })
    const turn = state.agent.number
    const commands = speeches.map(({ id, text }): ConversationCommand => {
      return { type: 'speak', speechId: id, text, turn }
    })
    const agent = { ...state.agent, parts: [...state.agent.parts, ...speeches] }
    const speechCount = state.speechCount + speeches.length
    return inOrder(state, (now) => change(now, { agent, speechCount }, ...commands), watchVoice)
  }
}

/** Keeps an alarm as long as the callee waits for words of the model, or of a tool. */
export function watchDeadAir(before: ConversationState): Rule {
  return (state) => {
    const isUnwanted = isSilenceUnwanted(state)
    if (isUnwanted === isSilenceUnwanted(before)) return nothing(state)
    return isUnwanted
      ? arm('deadAir', state.settings.timing.deadAirMs)(state)
      : disarm('deadAir')(state)
  }
}

/** A question whether somebody is still there comes after a silence anyway. */
function isSilenceUnwanted(state: ConversationState): boolean {
  const { agent, phase, timers, lateTools } = state
  if (phase === 'realtime') {
    return agent === null && (timers.llmFirstToken !== undefined || lateTools.length > 0)
  }
  const isTalk = phase === 'opening' || phase === 'thinking' || phase === 'speaking'
  if (agent === null || agent.isHeld || agent.purpose === 'prompt' || !isTalk) return false
  return isUnfinished(state) && nextSpeech(agent) === undefined
}

/** Tells while the callee waits, from the end of their turn to the first words. */
export function watchThinking(before: ConversationState): Rule {
  return (state) => {
    const turn = thinkingTurn(state)
    if (!state.settings.isThinkingHeard || turn === thinkingTurn(before)) return nothing(state)
    return change(state, {}, { type: 'setThinking', turn })
  }
}

function thinkingTurn(state: ConversationState): number | null {
  const { agent } = state
  if (agent?.purpose !== 'answer' || agent.isHeld) return null
  const isAwaitingVoice = agent.startedAtMs === null && nextSpeech(agent)?.status === 'queued'
  return isSilenceUnwanted(state) || isAwaitingVoice ? agent.number : null
}

/** Says that the silence will end. */
export const fillDeadAir: Rule = (state) => {
  const { agent, hearing, realtime, settings } = state
  if (!isSilenceUnwanted(state)) return nothing(state)
  if (hearing.isSpeech) return arm('deadAir', settings.timing.deadAirMs)(state)
  if (realtime !== null) return fillForModel(realtime)(state)
  if (agent === null) return nothing(state)
  const text = agent.purpose === 'opening' ? OPENING_FILLERS[agent.fillers] : FILLERS[agent.fillers]
  if (text === undefined) return nothing(state)
  const filling = { ...agent, fillers: agent.fillers + 1 }
  return say([text], true)({ ...state, agent: filling })
}

function fillForModel(realtime: Realtime): Rule {
  return (state) => {
    const text = FILLERS[realtime.fillers]
    if (text === undefined) return nothing(state)
    const filling = { ...realtime, fillers: realtime.fillers + 1 }
    return inOrder({ ...state, realtime: filling }, takeTurn(newTurn('answer')), say([text], true))
  }
}

/** The next speech to be heard must have its first audio in time. */
export const watchVoice: Rule = (state) => {
  const next = state.agent === null ? undefined : nextSpeech(state.agent)
  if (next?.status !== 'queued') return disarm('ttsFirstAudio')(state)
  if (state.timers.ttsFirstAudio !== undefined) return nothing(state)
  return arm('ttsFirstAudio', state.settings.timing.ttsFirstAudioMs)(state)
}

/** What plays now, or will play next. */
export function nextSpeech(turn: AgentTurn): Speech | undefined {
  return speechesOf(turn).find((speech) => speech.status !== 'over')
}

/** Asks the model for (more of) this turn, as soon as no tool of an earlier turn is at work. */
export const ask: Rule = (state) => {
  if (state.agent === null) return nothing(state)
  if (state.lateTools.length === 0) return inOrder(state, settleStopped, request(false))
  return inOrder(
    { ...state, agent: { ...state.agent, isWaitingForTools: true } },
    settleStopped,
    arm('llmFirstToken', TOOL_ANSWER_MS),
  )
}

/** The same once more, after the model has failed. */
export const askAgain: Rule = (state) => request(true)(state)

function request(isRetry: boolean): Rule {
  return (state) => {
    const { agent, settings, atMs } = state
    if (agent === null) return nothing(state)
    const id = `llm-${state.llmCount + 1}`
    const messages = messagesFor(state, agent)
    const tools = toolsFor(state, agent)
    const llm = {
      id,
      messages,
      startedAtMs: atMs,
      lastDeltaAtMs: atMs,
      isRetry,
      hasSpoken: false,
      toolCalls: [],
    }
    return inOrder(
      state,
      (now) =>
        change(
          now,
          {
            llm,
            llmCount: state.llmCount + 1,
            agent: { ...agent, isWaitingForTools: false, pendingText: '' },
          },
          { type: 'startLlm', requestId: id, messages, tools },
        ),
      arm('llmFirstToken', settings.timing.llmFirstTokenMs),
    )
  }
}

/** All that the model is told. */
export function messagesFor(state: ConversationState, agent: AgentTurn): LlmMessages {
  const text = guessedText(state.user)
  const open: readonly HistoryItem[] = text === '' ? [] : [{ type: 'user', text }]
  const said = toMessages([...state.history, ...open, ...plannedItems(agent)])
  const note = agent.note === null ? [] : [{ role: 'system', content: agent.note } as const]
  return [{ role: 'system', content: state.settings.prompt }, ...said, ...note]
}

type LlmMessages = NonNullable<ConversationState['llm']>['messages']

/** No more is wanted from the model. */
export const cancelLlm: Rule = (state) => {
  const { llm } = state
  if (llm === null) return disarm('llmFirstToken')(state)
  return inOrder(
    state,
    (now) => change(now, { llm: null }, { type: 'cancelLlm', requestId: llm.id }),
    disarm('llmFirstToken'),
  )
}

/**
 * Ends the agent's turn before its time. When something plays, the turn is recorded once the session
 * has told how much of it was heard; otherwise at once. A turn that nobody heard leaves no words.
 */
export const stopAgent: Rule = (state) => {
  if (state.agent === null) return cancelLlm(state)
  const speeches = speechesOf(state.agent)
  const isPlaying = speeches.some((speech) => speech.status === 'playing')
  const isQueued = speeches.some((speech) => speech.status !== 'over')
  return inOrder(
    state,
    settleStopped,
    cancelLlm,
    (now) => {
      const { agent, atMs } = now
      const stopped =
        agent === null ? null : { ...agent, wasCut: true, stoppedAtMs: agent.stoppedAtMs ?? atMs }
      // What was held is let go by the flush, too.
      const isFlushed = isQueued || agent?.isHeld === true
      const flush: readonly ConversationCommand[] = isFlushed ? [{ type: 'flushPlayout' }] : []
      return change(now, { agent: null, stopped }, ...flush)
    },
    dropUtterances(speeches),
    disarm('ttsFirstAudio', 'interruption'),
    isPlaying ? nothing : settleStopped,
  )
}

/** Of that which plays it is told later how much was heard. */
function dropUtterances(speeches: readonly Speech[]): Rule {
  return (state) => {
    const { realtime } = state
    const open = speeches.filter(({ isModels, status }) => isModels && status !== 'over')
    if (realtime === null || open.length === 0) return nothing(state)
    const commands = open
      .filter(({ status }) => status !== 'playing')
      .map(({ id }) => ({ type: 'cutModel', utterance: id, heardMs: 0 }) as const)
    const ids = open.map(({ id }) => id)
    return change(state, { realtime: withoutUtterances(realtime, ids) }, ...commands)
  }
}

export function withoutUtterances(realtime: Realtime, ids: readonly string[]): Realtime {
  return { ...realtime, cut: [...realtime.cut, ...ids].slice(-CUT_MAX) }
}

/** Whether the turn has more to say than the callee has heard. */
export function isUnfinished(state: ConversationState): boolean {
  const { agent, llm } = state
  return (
    agent !== null && (llm !== null || agent.isWaitingForTools || unansweredTools(agent).length > 0)
  )
}
