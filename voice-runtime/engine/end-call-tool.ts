import type { ToolDefinition } from '#shared/domain/chat.ts'

/** The tool by which a model ends a call; the engine adds it to every request. */
export const END_CALL_TOOL: ToolDefinition = {
  name: 'end_call',
  description:
    'Ends the phone call. Say goodbye first, in the same answer. Use it when the conversation is over ' +
    'or the person asks to end the call.',
  parameters: {
    type: 'object',
    properties: { reason: { type: 'string', description: 'Why the call ends.' } },
    additionalProperties: false,
  },
}
