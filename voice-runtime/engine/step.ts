/** How the parts of the reducer are put together. */

import type { ConversationCommand } from './conversation-command.ts'
import type { ConversationState, Rule, Step } from './conversation-state.ts'

export const nothing: Rule = (state) => ({ state, commands: [] })

export function change(
  state: ConversationState,
  patch: Partial<ConversationState>,
  ...commands: readonly ConversationCommand[]
): Step {
  return { state: { ...state, ...patch }, commands }
}

/** Each rule works on what the one before it left. */
export function inOrder(state: ConversationState, ...rules: readonly Rule[]): Step {
  let current = state
  const commands: ConversationCommand[] = []
  for (const rule of rules) {
    const step = rule(current)
    current = step.state
    commands.push(...step.commands)
  }
  return { state: current, commands }
}
