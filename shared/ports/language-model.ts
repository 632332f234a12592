import type { ChatMessage, JsonSchema, ToolCall, ToolDefinition } from '#shared/domain/chat.ts'
import type { LlmModel } from '#shared/domain/llm-model.ts'

/** A chat model: conducts the conversation, and reads finished ones. */
export interface LanguageModel {
  /** Deltas in order, then one `done`. Throws AdapterError. Aborting the signal cancels. */
  stream(request: LlmRequest, signal: AbortSignal): AsyncIterable<LlmDelta>
}

export interface LlmRequest {
  readonly model: LlmModel
  readonly messages: readonly ChatMessage[]
  readonly tools: readonly ToolDefinition[]
  /** Set when the whole answer must be JSON of this JSON Schema. */
  readonly responseSchema?: { readonly name: string; readonly schema: JsonSchema } | undefined
}

export type LlmDelta =
  | { readonly type: 'text'; readonly text: string; readonly model: string }
  | { readonly type: 'toolCall'; readonly call: ToolCall; readonly model: string }
  | {
      readonly type: 'done'
      readonly finishReason: 'stop' | 'length' | 'tool_calls' | 'content_filter'
    }
