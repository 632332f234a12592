import type { Assistant, CustomTool } from '#shared/domain/assistant.ts'
import type { LlmModel } from '#shared/domain/llm-model.ts'
import { toIso } from '#shared/domain/time.ts'

import type { AssistantWire } from './assistant.ts'
import { maskSecret } from './mask-secret.ts'
import { snakeKeys } from './wire-case.ts'

/** An assistant as it is answered (spec 2.1): its secrets masked, its version kept to ourselves. */
export function assistantToWire(assistant: Assistant): AssistantWire {
  const { version: _version, deletedAt: _deletedAt, ...visible } = assistant
  return {
    ...snakeKeys(visible),
    llm_model: llmModelToWire(assistant.llmModel),
    custom_tools: snakeKeys(assistant.customTools?.map(withMaskedHeaders) ?? null),
    created_at: toIso(assistant.createdAt),
    updated_at: toIso(assistant.updatedAt),
  }
}

/** Spec 2.3; the key of a custom endpoint is masked. */
export function llmModelToWire(model: LlmModel): AssistantWire['llm_model'] {
  return snakeKeys(model.type === 'custom' ? { ...model, apiKey: maskSecret(model.apiKey) } : model)
}

function withMaskedHeaders(tool: CustomTool): CustomTool {
  return {
    ...tool,
    headers: tool.headers.map(({ key, value }) => ({ key, value: maskSecret(value) })),
  }
}
