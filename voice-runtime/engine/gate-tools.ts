/** The tools with which a model goes through a phone menu; the engine itself carries them out. */

import type { ToolCall, ToolDefinition } from '#shared/domain/chat.ts'

export const PRESS_KEYS_TOOL: ToolDefinition = {
  name: 'press_keys',
  description: 'Presses keys of the telephone, for a phone menu.',
  parameters: {
    type: 'object',
    properties: {
      keys: { type: 'string', description: 'One or more of 0-9, * and #, in order.' },
    },
    required: ['keys'],
    additionalProperties: false,
  },
}

export const SKIP_TURN_TOOL: ToolDefinition = {
  name: 'skip_turn',
  description: 'Says and presses nothing, and waits for what comes next.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
}

const MAX_KEYS = 32

/** The keys that a call of `press_keys` names; null when they are none of a telephone. */
export function keysIn(call: ToolCall): string | null {
  try {
    const { keys } = JSON.parse(call.arguments) as { readonly keys?: unknown }
    if (typeof keys !== 'string' && typeof keys !== 'number') return null
    const text = String(keys).replaceAll(/[\s,-]/g, '')
    return /^[0-9*#]+$/.test(text) && text.length <= MAX_KEYS ? text : null
  } catch {
    return null
  }
}
