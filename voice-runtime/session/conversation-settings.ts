import type { AssistantSettings } from '#shared/domain/assistant.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { ToolDefinition } from '#shared/domain/chat.ts'
import { toolParametersSchema } from '#shared/domain/conclusion/field-schema.ts'
import { FAQ_TOOLS } from '#shared/domain/faq.ts'
import { renderTemplate } from '#shared/domain/prompt-variables.ts'
import { languagesOfVoice } from '#shared/domain/voice-catalogue.ts'

import { DEFAULT_TIMING } from '../engine/settings.ts'
import type { ConversationSettings, ConversationTiming } from '../engine/settings.ts'

/**
 * What the conversation of this order must know. `{{variables}}` are filled in wherever the
 * assistant's words are written; one without a value stays as it is written.
 */
export function conversationSettings(options: {
  readonly assistant: AssistantSettings
  readonly order: Pick<CallOrder, 'direction' | 'promptVariables'>
  readonly timing?: ConversationTiming
}): ConversationSettings {
  const { assistant, order, timing = DEFAULT_TIMING } = options
  const render = (text: string) =>
    renderTemplate(text, order.promptVariables, { onMissing: 'keep' })
  const renderIfAny = (text: string | null) => (text === null ? null : render(text))
  return {
    direction: order.direction,
    language: languagesOfVoice(assistant.voice)[0] ?? 'en',
    prompt: render(assistant.prompt),
    firstSentence: renderIfAny(assistant.firstSentence),
    firstSentenceMode: assistant.firstSentenceMode,
    firstSentenceDelayMs: assistant.firstSentenceDelayMs,
    endOfCallSentence: renderIfAny(assistant.endOfCallSentence),
    maxCallDurationMs: assistant.maxCallDurationSecs * 1_000,
    maxDurationEndMessage: renderIfAny(assistant.maxDurationEndMessage),
    voicemailMessage: renderIfAny(assistant.voicemailMessage),
    ivrNavigationEnabled: assistant.ivrNavigationEnabled,
    realtimeModel:
      assistant.llmModel.type === 'realtime' ? assistant.llmModel.realtimeModelId : null,
    isThinkingHeard: assistant.thinkingSound !== null,
    tools: toolsOf(assistant),
    // What only reads can be asked again; what writes is finished, whatever is said meanwhile.
    cancellableTools: (assistant.customTools ?? [])
      .filter(({ method }) => method === 'GET')
      .map(({ name }) => name),
    timing,
  }
}

/** The assistant's own tools come first: one that is named like ours stands in its place. */
function toolsOf({ customTools, faqItems }: AssistantSettings): ToolDefinition[] {
  const own = (customTools ?? []).map(({ name, description, inputSchema }) => {
    return { name, description, parameters: toolParametersSchema(inputSchema) }
  })
  const isFree = ({ name }: ToolDefinition) => own.every((tool) => tool.name !== name)
  return [...own, ...(faqItems.length > 0 ? FAQ_TOOLS.filter(isFree) : [])]
}
