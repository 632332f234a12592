/** What comes from the model and from tools. */

import { ask, askAgain, cancelLlm, say, TOOL_ANSWER_MS } from './agent-turn.ts'
import { close } from './closing.ts'
import type { ConversationCommand } from './conversation-command.ts'
import type { ConversationEvent } from './conversation-event.ts'
import type {
  AgentTurn,
  ConversationState,
  LlmRequest,
  Rule,
  ToolUse,
} from './conversation-state.ts'
import { END_CALL_TOOL } from './end-call-tool.ts'
import { isTurnTool, MAX_TOOL_ROUNDS, useEngineTool } from './engine-tools.ts'
import { splitSentences } from './sentence-splitter.ts'
import { change, inOrder, nothing } from './step.ts'
import { APOLOGY, FALLBACKS } from './stock-sentences.ts'
import { arm, disarm } from './timers.ts'
import { endTurnIfOver } from './turn-end.ts'
import { commitUserTurn, record, speechesOf, unansweredTools } from './turn-record.ts'

type Of<Type extends ConversationEvent['type']> = ConversationEvent & { readonly type: Type }

/** A model that talks on without end is stopped here. */
const MAX_SPEECHES = 60
const MAX_TOOL_CALLS = 8
/** Turns in a row that failed; then the call is ended. */
export const MAX_FAILURES = 3

/** A request and the turn it is for. */
interface Asked {
  readonly llm: LlmRequest
  readonly agent: AgentTurn
}

function asked(state: ConversationState, requestId: string): Asked | null {
  const { llm, agent } = state
  return llm === null || agent === null || llm.id !== requestId ? null : { llm, agent }
}

/** Nothing of the model's is asked to be said. */
function isUnspoken(agent: AgentTurn): boolean {
  return speechesOf(agent).every(({ isFiller }) => isFiller)
}

export function hearLlmText(event: Of<'llmText'>): Rule {
  return (state) => {
    const open = asked(state, event.requestId)
    if (open === null) return nothing(state)
    const { llm, agent } = open
    const isFirst = isUnspoken(agent)
    const split = splitSentences(agent.pendingText + event.text, isFirst)
    const room = maxSpeeches(agent) - speechesOf(agent).length
    const sentences = split.sentences.slice(0, Math.max(0, room))
    const hasSpoken = llm.hasSpoken || sentences.length > 0
    const told = {
      ...state,
      llm: { ...llm, lastDeltaAtMs: state.atMs, hasSpoken },
      agent: { ...withOrigin(agent, llm, event.model, state.atMs), pendingText: split.rest },
    }
    return inOrder(told, say(sentences), sentences.length >= room ? finishAsked : nothing)
  }
}

/** A machine that stands before the person is told one thing at a time. */
function maxSpeeches(agent: AgentTurn): number {
  return agent.purpose === 'gate' ? 1 : MAX_SPEECHES
}

/** The request whose text is said first is the one on record (spec 2.10, speech event). */
function withOrigin(agent: AgentTurn, llm: LlmRequest, llmModel: string, atMs: number): AgentTurn {
  if (llm.hasSpoken || !isUnspoken(agent)) return agent
  if (agent.pendingText !== '') return agent
  return {
    ...agent,
    llmModel,
    llmPrompt: JSON.stringify(llm.messages),
    llmTtftMs: atMs - llm.startedAtMs,
  }
}

/** Tools are called when the answer is complete; until then the caller may still go on. */
export function hearToolCall(event: Of<'llmToolCall'>): Rule {
  return (state) => {
    const open = asked(state, event.requestId)
    if (open === null) return nothing(state)
    const { llm } = open
    const call = { id: event.callId, name: event.name, arguments: event.arguments }
    const isTaken =
      llm.toolCalls.length >= MAX_TOOL_CALLS || llm.toolCalls.some(({ id }) => id === call.id)
    const toolCalls = isTaken ? llm.toolCalls : [...llm.toolCalls, call]
    return change(state, { llm: { ...llm, toolCalls, lastDeltaAtMs: state.atMs } })
  }
}

export function hearLlmDone(event: Of<'llmDone'>): Rule {
  return (state) => {
    const open = asked(state, event.requestId)
    if (open === null) return nothing(state)
    const rest = open.agent.pendingText.trim()
    return inOrder(
      { ...state, llm: null, agent: { ...open.agent, pendingText: '' } },
      disarm('llmFirstToken'),
      say(rest === '' ? [] : [rest]),
      useTools(open.llm.toolCalls),
      endTurnIfOver,
    )
  }
}

/** The turn is not held any more: what it has called is used, and it may be over already. */
export const goOnReleased: Rule = (state) => {
  const { agent } = state
  if (agent === null || agent.isHeld) return nothing(state)
  const { heldCalls } = agent
  const free = { ...state, agent: { ...agent, heldCalls: [] } }
  return inOrder(heldCalls.length === 0 ? state : free, useTools(heldCalls), endTurnIfOver)
}

function useTools(calls: LlmRequest['toolCalls']): Rule {
  return (state) => {
    if (state.agent === null || calls.length === 0) return nothing(state)
    // The caller may still go on, and a tool cannot be taken back.
    if (state.agent.isHeld) return change(state, { agent: { ...state.agent, heldCalls: calls } })
    const isEnding = state.agent.isEnding || calls.some(({ name }) => name === END_CALL_TOOL.name)
    const isAllowed = state.agent.toolRounds < MAX_TOOL_ROUNDS
    const used = calls
      .filter((call) => isAllowed && !isTurnTool(call))
      .map((call) => ({ call, own: useEngineTool(call) }))
    const uses = used.map(({ call, own }): ToolUse => {
      return { type: 'tool', call, answer: own && { output: own.output, isError: own.isError } }
    })
    const agent = {
      ...state.agent,
      isEnding,
      parts: [...state.agent.parts, ...uses],
      toolRounds: state.agent.toolRounds + (uses.length > 0 ? 1 : 0),
    }
    const commands = used.flatMap(({ call, own }): readonly ConversationCommand[] => {
      const { id: callId, name, arguments: json } = call
      return own?.commands ?? [{ type: 'callTool', callId, name, arguments: json }]
    })
    if (uses.length === 0) return change(state, { agent })
    const goesOn = used.some(({ own }) => own === null || own.goesOn)
    return inOrder(
      { ...state, agent },
      // What has had effects is answered; more words are a new turn.
      commitUserTurn,
      (now) => change(now, {}, ...commands),
      goesOn ? arm('llmFirstToken', TOOL_ANSWER_MS) : nothing,
      goesOn ? goOnAfterTools : nothing,
    )
  }
}

export function hearToolAnswer(event: Of<'toolAnswered'>): Rule {
  const answer = { output: event.output, isError: event.isError }
  return (state) => {
    const { agent, lateTools } = state
    const own = agent === null ? undefined : find(unansweredTools(agent), event.callId)
    if (agent !== null && own !== undefined) {
      const parts = agent.parts.map((part) => (part === own ? { ...own, answer } : part))
      return inOrder({ ...state, agent: { ...agent, parts } }, goOnAfterTools)
    }
    const late = find(lateTools, event.callId)
    if (late === undefined) return nothing(state)
    return inOrder(
      { ...state, lateTools: lateTools.filter((use) => use !== late) },
      record([{ type: 'tool', call: late.call, ...answer }]),
      goOnAfterTools,
    )
  }
}

function find(uses: readonly ToolUse[], callId: string): ToolUse | undefined {
  return uses.find((use) => use.call.id === callId)
}

/** When every tool has answered, the model reads the answers. */
const goOnAfterTools: Rule = (state) => {
  const { agent, lateTools, llm } = state
  if (agent === null || llm !== null || state.closing !== null) return nothing(state)
  if (agent.isWaitingForTools) return lateTools.length === 0 ? ask(state) : nothing(state)
  if (unansweredTools(agent).length > 0 || agent.parts.every((part) => part.type === 'speech')) {
    return nothing(state)
  }
  return agent.isEnding ? inOrder(state, disarm('llmFirstToken'), endTurnIfOver) : ask(state)
}

/** Nothing has come from the model, or from a tool, for too long. */
export const thinkingTimedOut: Rule = (state) => {
  const { llm, agent, settings, atMs } = state
  if (agent === null) return nothing(state)
  if (llm === null) return giveUpTools(state)
  const silentMs = atMs - llm.lastDeltaAtMs
  const limitMs = settings.timing.llmFirstTokenMs
  if (silentMs < limitMs) return arm('llmFirstToken', limitMs - silentMs)(state)
  return inOrder(
    state,
    (now) => change(now, {}, { type: 'cancelLlm', requestId: llm.id }),
    failAsked,
  )
}

const giveUpTools: Rule = (state) => {
  const open = [...state.lateTools, ...(state.agent === null ? [] : unansweredTools(state.agent))]
  const rules = open.map(({ call }) =>
    hearToolAnswer({
      type: 'toolAnswered',
      atMs: state.atMs,
      callId: call.id,
      output: 'The tool did not answer in time.',
      isError: true,
    }),
  )
  return inOrder(state, ...rules)
}

export function hearLlmFailure(event: Of<'llmFailed'>): Rule {
  return (state) => (asked(state, event.requestId) === null ? nothing(state) : failAsked(state))
}

/** What was said stands; otherwise the model is asked once more, then excused. */
const failAsked: Rule = (state) => {
  const { llm, agent } = state
  if (llm === null || agent === null) return nothing(state)
  const isUnsaid = isUnspoken(agent)
  const origin = isUnsaid ? { llmModel: null, llmPrompt: null, llmTtftMs: null } : {}
  const failed = { ...state, llm: null, agent: { ...agent, ...origin, pendingText: '' } }
  if (llm.hasSpoken) return inOrder(failed, disarm('llmFirstToken'), endTurnIfOver)
  if (!llm.isRetry) return askAgain(failed)
  return inOrder(failed, disarm('llmFirstToken'), excuse)
}

const excuse: Rule = (state) => {
  const failures = state.failures + 1
  const { agent } = state
  if (agent === null) return nothing(state)
  if (failures >= MAX_FAILURES) {
    return close({ endedBy: 'system', endReason: null }, APOLOGY)({ ...state, failures })
  }
  return say([FALLBACKS[agent.purpose]])({ ...state, failures })
}

/** Enough was said. */
const finishAsked: Rule = (state) => {
  const { agent } = state
  if (agent === null) return nothing(state)
  return inOrder({ ...state, agent: { ...agent, pendingText: '' } }, cancelLlm, endTurnIfOver)
}
