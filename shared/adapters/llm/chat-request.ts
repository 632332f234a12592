import type { ChatMessage } from '#shared/domain/chat.ts'
import type { LlmRequest } from '#shared/ports/language-model.ts'

import type { LlmEndpoint } from './llm-endpoint.ts'

/**
 * The body of `POST /chat/completions` (reference/protocols-media.md 9). `stream_options` is not
 * sent: nothing reads the usage, and some servers refuse it.
 */
export function chatRequestBody(
  request: LlmRequest,
  endpoint: LlmEndpoint,
): Record<string, unknown> {
  return {
    ...endpoint.extraBody,
    model: endpoint.modelName,
    messages: request.messages.map(wireMessage),
    stream: true,
    ...(request.tools.length > 0 && {
      tools: request.tools.map((tool) => ({ type: 'function', function: tool })),
      tool_choice: 'auto',
    }),
    ...(request.responseSchema && {
      response_format: {
        type: 'json_schema',
        json_schema: { ...request.responseSchema, strict: true },
      },
    }),
  }
}

function wireMessage(message: ChatMessage): Record<string, unknown> {
  if (message.role === 'tool') {
    return { role: 'tool', tool_call_id: message.toolCallId, content: message.content }
  }
  if (message.role !== 'assistant' || !message.toolCalls?.length) {
    return { role: message.role, content: message.content }
  }
  return {
    role: 'assistant',
    content: message.content === '' ? null : message.content,
    tool_calls: message.toolCalls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    })),
  }
}
