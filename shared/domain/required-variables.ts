import type { AssistantSettings, CustomTool } from './assistant.ts'
import { listVariables } from './prompt-variables.ts'

/**
 * The prompt variables that a call with these settings may use, each once, sorted: those of the
 * prompt and of everything else that is said, written or asked during and after it. Templates whose
 * variables the service fills in itself (extraction prompt, chat message, CRM note) need none.
 */
export function requiredVariables(settings: AssistantSettings): string[] {
  const templates = [
    settings.prompt,
    settings.firstSentence,
    settings.endOfCallSentence,
    settings.maxDurationEndMessage,
    settings.voicemailMessage,
    settings.voicemailSmsPrompt,
    settings.afterCallSmsPrompt,
    settings.smsTemplate,
  ]
  const names = templates.flatMap((template) => listVariables(template ?? ''))
  return [...new Set([...names, ...(settings.customTools ?? []).flatMap(variablesOfTool)])].sort()
}

/** A tool's own parameters are filled in by the model. */
function variablesOfTool(tool: CustomTool): string[] {
  const parameters = new Set(tool.inputSchema.map(({ name }) => name))
  const values = [...tool.headers, ...tool.queryParams].map(({ value }) => value)
  return [tool.url, tool.bodyTemplate ?? '', ...values]
    .flatMap(listVariables)
    .filter((name) => !parameters.has(name))
}

/**
 * What an order lacks for these settings. A variable that the settings it was planned with used too
 * is not missed: the order was accepted without it.
 */
export function missingVariables(
  settings: AssistantSettings,
  order: {
    readonly plannedWith: AssistantSettings
    /** Names of its `prompt_variables`. */
    readonly variables: readonly string[]
  },
): string[] {
  const known = new Set([...order.variables, ...requiredVariables(order.plannedWith)])
  return requiredVariables(settings).filter((name) => !known.has(name))
}
