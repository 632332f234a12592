import type { AssistantSettings } from '#shared/domain/assistant.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { FAQ_TOOLS } from '#shared/domain/faq.ts'
import type { ToolEndpoints } from '#shared/ports/tool-endpoints.ts'

import { callCustomTool } from './call-custom-tool.ts'
import type { ToolAnswer } from './call-custom-tool.ts'
import { callFaqTool, type FaqPorts } from './call-faq-tool.ts'

export interface ToolsOfCall {
  /** Throws only when the signal aborts, or for a fault of ours. */
  call(name: string, argumentsJson: string, signal: AbortSignal): Promise<ToolAnswer>
}

/** The tools that need more than the conversation itself, bound to one call. */
export function toolsOfCall(
  ports: FaqPorts & { readonly toolEndpoints: ToolEndpoints },
  { assistant, order }: { readonly assistant: AssistantSettings; readonly order: CallOrder },
): ToolsOfCall {
  return {
    call: async (name, argumentsJson, signal) => {
      const tool = assistant.customTools?.find((each) => each.name === name)
      if (tool === undefined && isFaqTool(assistant, name)) {
        return callFaqTool(ports, { name, argumentsJson, assistant, order })
      }
      if (tool === undefined) return { output: `There is no tool named ${name}.`, isError: true }
      const { promptVariables: variables } = order
      return callCustomTool(ports.toolEndpoints, { tool, argumentsJson, variables, signal })
    },
  }
}

/** Without a FAQ there is nothing to look up. */
function isFaqTool(assistant: AssistantSettings, name: string): boolean {
  return assistant.faqItems.length > 0 && FAQ_TOOLS.some((tool) => tool.name === name)
}
