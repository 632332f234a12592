import type { LanguageModel, LlmDelta, LlmRequest } from '#shared/ports/language-model.ts'

import { simulatedExtraction } from './simulated-extraction.ts'
import { simulatedReply } from './simulated-reply.ts'
import { simulatedToolCall } from './simulated-tools.ts'

const MODEL = 'simulated'
const END_CALL = 'end_call'

/**
 * A chat model without a network: by rules alone it holds a plausible phone conversation, ends it
 * with the tool `end_call`, and extracts what came of it. The same messages always give the same
 * deltas. An aborted stream throws the signal's reason.
 */
export const simulatedLanguageModel: LanguageModel = {
  async *stream(request, signal) {
    for (const delta of deltasFor(request)) {
      signal.throwIfAborted()
      yield delta
    }
  },
}

function* deltasFor(request: LlmRequest): Generator<LlmDelta> {
  if (request.responseSchema) {
    const answer = simulatedExtraction(request.messages, request.responseSchema.schema)
    yield* spoken(JSON.stringify(answer))
    yield { type: 'done', finishReason: 'stop' }
    return
  }
  const use = simulatedToolCall(request.messages, request.tools)
  if (use !== null) {
    yield* toolCall(use.name, use.arguments, request)
    return
  }
  const reply = simulatedReply(request.messages)
  yield* spoken(reply.text)
  const calls = reply.endsCall && request.tools.some((tool) => tool.name === END_CALL)
  if (calls) yield* toolCall(END_CALL, {}, request)
  else yield { type: 'done', finishReason: 'stop' }
}

function* toolCall(name: string, values: object, { messages }: LlmRequest): Generator<LlmDelta> {
  const call = { id: `${name}_${messages.length}`, name, arguments: JSON.stringify(values) }
  yield { type: 'toolCall', call, model: MODEL }
  yield { type: 'done', finishReason: 'tool_calls' }
}

/** Word by word, as models do. */
function* spoken(text: string): Generator<LlmDelta> {
  for (const word of text.match(/\s*\S+/g) ?? []) yield { type: 'text', text: word, model: MODEL }
}
