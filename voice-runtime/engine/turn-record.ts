/** Turns become history, transcript entries and speech events (spec 2.10) when they are over. */

import type { SpeechEvent } from '#shared/domain/transcript.ts'

import type { ConversationCommand } from './conversation-command.ts'
import type { AgentTurn, Rule, Speech, ToolUse, TurnPart } from './conversation-state.ts'
import { learnTurn } from './endpointing.ts'
import { joinText, toTranscriptEntry } from './history.ts'
import type { HistoryItem } from './history.ts'
import { withoutBackchannel } from './interruption.ts'
import { isOptOut } from './opt-out.ts'
import { change, inOrder, nothing } from './step.ts'
import { adoptInterim, NO_USER_TURN, userText } from './user-turn.ts'

type NewSpeechEvent = Omit<SpeechEvent, 'id'>

/** Adds to the history and to the transcript alike: they never differ. */
export function record(items: readonly HistoryItem[]): Rule {
  return (state) =>
    change(
      state,
      { history: [...state.history, ...items] },
      ...items.map((item): ConversationCommand => {
        return { type: 'appendTranscript', entry: toTranscriptEntry(item) }
      }),
    )
}

/** The callee's words have been answered, or the call is over. Sound without words stays open. */
export const commitUserTurn: Rule = (state) => {
  const text = userText(state.user)
  if (text === '') return nothing(state)
  return inOrder(
    { ...state, endpointing: learnTurn(state.endpointing), inactivityPrompts: 0 },
    record([{ type: 'user', text }]),
    isOptOut(text) ? noteOptOut : nothing,
    emitUserEvent({ isRealTurn: true, transcript: text }),
    resetUserTurn,
  )
}

/** No machine can ask for it: what a mailbox or a menu says is about something else. */
const noteOptOut: Rule = (state) =>
  state.isOptedOut || state.result !== 'human'
    ? nothing(state)
    : change(state, { isOptedOut: true }, { type: 'noteOptOut' })

/** What was heard was noise, or a listener's "mm-hm": it is never answered. */
export const dismissUserTurn: Rule = (state) => {
  if (state.user.startedAtMs === null) return resetUserTurn(state)
  const transcript = userText(state.user)
  return inOrder(state, emitUserEvent({ isRealTurn: false, transcript }), resetUserTurn)
}

/** At the end of the call: what is still open, a guessed end of the words included. */
export const closeUserTurn: Rule = (state) => {
  const last = adoptInterim(state)
  return userText(last.user) === '' ? dismissUserTurn(last) : commitUserTurn(last)
}

/** Words that only accompanied the agent's turn are noted and not answered. */
export function dismissBackchannel(stoppedAtMs: number): Rule {
  return (state) => {
    const { kept, backchannel } = withoutBackchannel(state.user, stoppedAtMs)
    const last = backchannel.at(-1)
    if (last === undefined) return nothing(state)
    const heard = { ...state.user, pieces: backchannel, stoppedAtMs: last.endedAtMs }
    const isMore = kept.pieces.length > 0 || kept.interim !== '' || state.hearing.isSpeech
    return inOrder(
      { ...state, user: heard },
      emitUserEvent({ isRealTurn: false, transcript: userText(heard), isOver: true }),
      (after) => change(after, { user: isMore ? kept : NO_USER_TURN }),
    )
  }
}

const resetUserTurn: Rule = (state) => {
  if (!state.hearing.isSpeech) return change(state, { user: NO_USER_TURN })
  return change(state, { user: { ...NO_USER_TURN, startedAtMs: state.atMs, isDetected: true } })
}

function emitUserEvent(options: {
  readonly isRealTurn: boolean
  readonly transcript: string
  readonly isOver?: boolean
}): Rule {
  return (state) => {
    const { user, hearing } = state
    const last = user.pieces.at(-1)
    const stoppedAtMs = user.stoppedAtMs ?? last?.endedAtMs ?? state.atMs
    const isOpen = hearing.isSpeech && options.isOver !== true
    return change(
      state,
      {},
      speechEvent({
        isRealTurn: options.isRealTurn,
        speaker: 'user',
        startedSpeakingAtMs: user.startedAtMs ?? last?.startedAtMs ?? stoppedAtMs,
        stoppedSpeakingAtMs: isOpen ? null : stoppedAtMs,
        transcript: options.transcript,
        sttTranscriptionDelayMs: last === undefined ? null : last.receivedAtMs - last.endedAtMs,
        llmSystemPrompt: null,
        llmTtftMs: null,
        llmWinnerModel: null,
        ttsTtfbMs: null,
        wasCut: null,
      }),
    )
  }
}

function speechEvent(event: NewSpeechEvent): ConversationCommand {
  return { type: 'emitSpeechEvent', event }
}

export function speechesOf(turn: AgentTurn): readonly Speech[] {
  return turn.parts.filter((part) => part.type === 'speech')
}

export function unansweredTools(turn: AgentTurn): readonly ToolUse[] {
  return turn.parts.filter((part) => part.type === 'tool').filter((part) => part.answer === null)
}

/** What a turn leaves in the history: heard words, and tools that have answered, in their order. */
function heardItems(turn: AgentTurn): readonly HistoryItem[] {
  return toItems(turn, (speech) => speech.heardText)
}

/** The same as if everything asked for were heard: what the model reads while its turn goes on. */
export function plannedItems(turn: AgentTurn): readonly HistoryItem[] {
  return toItems(turn, (speech) => speech.text)
}

function toItems(turn: AgentTurn, textOf: (speech: Speech) => string): readonly HistoryItem[] {
  const items: HistoryItem[] = []
  for (const part of turn.parts) {
    if (part.type === 'tool') {
      if (part.answer !== null) items.push({ type: 'tool', call: part.call, ...part.answer })
      continue
    }
    const last = items.at(-1)
    const text = textOf(part).trim()
    if (text === '') continue
    if (last?.type === 'agent') items.pop()
    items.push({ type: 'agent', text: last?.type === 'agent' ? joinText([last.text, text]) : text })
  }
  return items
}

/** What the callee has not heard of a turn. */
export function unheardTexts(turn: AgentTurn): readonly string[] {
  return speechesOf(turn)
    .filter(({ isFiller }) => !isFiller)
    .map(({ text, heardText }) =>
      text.startsWith(heardText) ? text.slice(heardText.length) : text,
    )
    .map((text) => text.trim())
    .filter((text) => text !== '')
}

/** Records a turn that is over. Tools that are still at work are cancelled, or remembered. */
export function settle(over: AgentTurn): Rule {
  return (state) => {
    const { cancellableTools } = state.settings
    const isCancelled = (part: TurnPart): part is ToolUse =>
      part.type === 'tool' && part.answer === null && cancellableTools.includes(part.call.name)
    const cancelled = over.parts.filter(isCancelled)
    const parts = over.parts.map((part) =>
      isCancelled(part) ? { ...part, answer: CANCELLED } : part,
    )
    const turn = { ...over, parts }
    const { startedAtMs } = turn
    const isAudible = startedAtMs !== null
    return inOrder(
      {
        ...state,
        lateTools: [...state.lateTools, ...unansweredTools(turn)],
        agentStoppedAtMs: isAudible ? (turn.stoppedAtMs ?? state.atMs) : state.agentStoppedAtMs,
      },
      commitGuess(turn),
      (now) =>
        change(
          now,
          {},
          ...cancelled.map(({ call }) => ({ type: 'cancelTool', callId: call.id }) as const),
        ),
      record(heardItems(turn)),
      isAudible ? emitAgentEvent(turn, startedAtMs) : nothing,
    )
  }
}

/** Words that were answered and never recognised for good stand as they were guessed. */
function commitGuess({ startedAtMs }: AgentTurn): Rule {
  return (state) => {
    const { user, hearing } = state
    const spokenUntilMs = user.stoppedAtMs ?? Infinity
    const isAnswered = startedAtMs !== null && spokenUntilMs <= startedAtMs && !hearing.isSpeech
    if (user.interim === '' || !isAnswered) return nothing(state)
    return commitUserTurn({ ...adoptInterim(state), guessedUntilMs: spokenUntilMs })
  }
}

/** What the model reads of a tool whose turn was interrupted. */
const CANCELLED = { output: 'Cancelled: the person spoke meanwhile.', isError: true }

function emitAgentEvent(turn: AgentTurn, startedSpeakingAtMs: number): Rule {
  return (state) =>
    change(
      state,
      {},
      speechEvent({
        isRealTurn: true,
        speaker: 'agent',
        startedSpeakingAtMs,
        stoppedSpeakingAtMs: turn.stoppedAtMs,
        transcript: joinText(speechesOf(turn).map((speech) => speech.heardText)),
        sttTranscriptionDelayMs: null,
        llmSystemPrompt: turn.llmPrompt,
        llmTtftMs: turn.llmTtftMs,
        llmWinnerModel: turn.llmModel,
        ttsTtfbMs: turn.ttsTtfbMs,
        wasCut: turn.wasCut,
      }),
    )
}

/** Records the turn that was stopped, with what is known of it; what it leaves unsaid may be resumed. */
export const settleStopped: Rule = (state) => {
  const { stopped, resume } = state
  if (stopped === null) return nothing(state)
  const texts = unheardTexts(stopped)
  return inOrder(
    { ...state, stopped: null, resume: resume === null ? null : { ...resume, texts } },
    settle(stopped),
  )
}

/** Records the agent's turn as it stands. */
export const settleAgent: Rule = (state) =>
  state.agent === null ? nothing(state) : inOrder({ ...state, agent: null }, settle(state.agent))
