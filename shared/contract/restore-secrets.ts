import type { Assistant } from '#shared/domain/assistant.ts'

import type { UpdateAssistantBody } from './assistant.ts'
import { isMask, maskSecret } from './mask-secret.ts'
import type { FieldError } from './problem.ts'

type Settings = Pick<UpdateAssistantBody, 'llm_model' | 'custom_tools'>

export type RestoredSecrets<Body> =
  | { readonly kind: 'restored'; readonly body: Body }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }

/**
 * Puts the stored secrets back where an answer's masks were sent back (decisions 2). A header is
 * known by its tool's name and its own. A mask that stands for no stored secret is an error, because
 * it would replace the secret; so is every mask where nothing is stored yet.
 */
export function restoreSecrets<Body extends Settings>(
  body: Body,
  current: Pick<Assistant, 'llmModel' | 'customTools'> | null,
): RestoredSecrets<Body> {
  const errors: FieldError[] = []
  const restore = (sent: string, stored: readonly string[], pointer: string): string => {
    if (!isMask(sent)) return sent
    const secret = stored.find((one) => maskSecret(one) === sent)
    if (secret === undefined) errors.push(unknownMask(pointer))
    return secret ?? sent
  }
  const storedKeys = current?.llmModel.type === 'custom' ? [current.llmModel.apiKey] : []
  const { llm_model: model, custom_tools: tools } = body
  const restored: Body = {
    ...body,
    ...(model?.type === 'custom' && {
      llm_model: { ...model, api_key: restore(model.api_key, storedKeys, '/llm_model/api_key') },
    }),
    ...(tools && {
      custom_tools: tools.map((tool, toolIndex) => ({
        ...tool,
        headers: tool.headers.map(({ key, value }, index) => {
          const stored = storedHeaders(current, tool.name, key)
          const pointer = `/custom_tools/${toolIndex}/headers/${index}/value`
          return { key, value: restore(value, stored, pointer) }
        }),
      })),
    }),
  }
  return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'restored', body: restored }
}

function storedHeaders(
  current: Pick<Assistant, 'customTools'> | null,
  toolName: string,
  key: string,
): string[] {
  const tool = current?.customTools?.find(({ name }) => name === toolName)
  return (tool?.headers ?? []).filter((header) => header.key === key).map(({ value }) => value)
}

export function unknownMask(pointer: string): FieldError {
  return {
    pointer,
    code: 'masked_secret',
    detail: 'This is the mask of no stored secret; send the secret itself',
  }
}
