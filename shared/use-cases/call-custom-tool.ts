import type { CustomTool } from '#shared/domain/assistant.ts'
import { buildToolRequest } from '#shared/domain/custom-tool/build-tool-request.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { ToolEndpoints } from '#shared/ports/tool-endpoints.ts'

/** Decisions 4, URLs given by users. */
const TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 256 * 1024

export interface ToolAnswer {
  /** For the model, and for the transcript. */
  readonly output: string
  readonly isError: boolean
}

/**
 * Calls a custom tool of an assistant (spec 2.4). Whatever goes wrong is an answer, too: the model is
 * told, and decides what to say. Throws only when the signal aborts.
 */
export async function callCustomTool(
  endpoints: ToolEndpoints,
  input: {
    readonly tool: CustomTool
    /** As the model wrote them. */
    readonly argumentsJson: string
    readonly variables: Readonly<Record<string, string>>
    readonly signal: AbortSignal
  },
): Promise<ToolAnswer> {
  const built = buildToolRequest(input.tool, input.argumentsJson, input.variables)
  if (built.kind === 'refused') return failed(built.reason)
  try {
    const answer = await endpoints.send({
      ...built.request,
      timeoutMs: TIMEOUT_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      signal: input.signal,
    })
    if (!answer.isWhole) return failed('The answer of the tool was too long.')
    const isSuccess = answer.statusCode >= 200 && answer.statusCode < 300
    if (isSuccess) return { output: answer.text, isError: false }
    return failed(`The tool answered with HTTP ${answer.statusCode}. ${answer.text}`.trim())
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    return failed(`The tool could not be called: ${error.message}.`)
  }
}

function failed(output: string): ToolAnswer {
  return { output, isError: true }
}
