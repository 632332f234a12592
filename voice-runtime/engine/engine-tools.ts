/** Tools that the engine itself carries out, and which of all tools a turn is offered. */

import type { ToolCall, ToolDefinition } from '#shared/domain/chat.ts'

import type { ConversationCommand } from './conversation-command.ts'
import type { AgentTurn, ConversationState } from './conversation-state.ts'
import { END_CALL_TOOL } from './end-call-tool.ts'
import { keysIn, PRESS_KEYS_TOOL, SKIP_TURN_TOOL } from './gate-tools.ts'

/** Then the model must answer without tools. */
export const MAX_TOOL_ROUNDS = 8

export interface EngineToolUse {
  readonly output: string
  readonly isError: boolean
  readonly commands: readonly ConversationCommand[]
  /** The model is to go on with the turn; otherwise the call was all it had to do. */
  readonly goesOn: boolean
}

export function toolsFor(state: ConversationState, agent: AgentTurn): readonly ToolDefinition[] {
  if (agent.purpose === 'gate') {
    return state.gate?.kind === 'IVR' ? [PRESS_KEYS_TOOL, SKIP_TURN_TOOL, END_CALL_TOOL] : []
  }
  if (agent.toolRounds >= MAX_TOOL_ROUNDS) return [END_CALL_TOOL]
  return [...state.settings.tools.filter(({ name }) => name !== END_CALL_TOOL.name), END_CALL_TOOL]
}

/** Calls that only shape the turn: they do nothing and are not recorded. */
export function isTurnTool(call: ToolCall): boolean {
  return call.name === END_CALL_TOOL.name || call.name === SKIP_TURN_TOOL.name
}

/** What the engine does for a call; null when the tool is the session's. */
export function useEngineTool(call: ToolCall): EngineToolUse | null {
  if (call.name !== PRESS_KEYS_TOOL.name) return null
  const digits = keysIn(call)
  if (digits === null) {
    const output = 'Nothing was pressed: keys are 0-9, * and #.'
    return { output, isError: true, commands: [], goesOn: true }
  }
  const commands = [{ type: 'sendDtmf', digits } as const]
  return { output: `Pressed ${digits}.`, isError: false, commands, goesOn: false }
}
