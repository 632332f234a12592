import type { LlmModel } from '#shared/domain/llm-model.ts'
import type { Timers } from '#shared/ports/clock.ts'
import type { LanguageModel } from '#shared/ports/language-model.ts'
import type { Logger } from '#shared/ports/logger.ts'

import type { ConversationCommand } from '../engine/conversation-command.ts'
import type { EventWithoutTime } from './event-without-time.ts'

const TOOL_TIMEOUT_MS = 15_000
/** What a model is told of a tool's answer. */
const TOOL_OUTPUT_MAX = 16_000

/** Runs a tool that the model has called. */
export interface ToolCaller {
  /** `argumentsJson` is as the model wrote it. Throws when the tool could not be run. */
  call(
    name: string,
    argumentsJson: string,
    signal: AbortSignal,
  ): Promise<{ readonly output: string; readonly isError: boolean }>
}

export interface ThinkingDeps {
  readonly languageModel: LanguageModel
  readonly tools: ToolCaller
  readonly timers: Timers
  readonly logger: Logger
  readonly model: LlmModel
  readonly emit: (event: EventWithoutTime) => void
}

type StartLlm = Extract<ConversationCommand, { type: 'startLlm' }>
type CallTool = Extract<ConversationCommand, { type: 'callTool' }>

/** The model's answers and the tools' as events. Every request can be cancelled, and all at the end. */
export class Thinking {
  readonly #deps: ThinkingDeps
  readonly #requests = new Map<string, AbortController>()
  readonly #tools = new Map<string, AbortController>()

  constructor(deps: ThinkingDeps) {
    this.#deps = deps
  }

  start(command: StartLlm): void {
    const request = new AbortController()
    this.#requests.set(command.requestId, request)
    void this.#answer(command, request.signal)
  }

  /** Nothing of the request is emitted any more. */
  cancel(requestId: string): void {
    this.#requests.get(requestId)?.abort()
    this.#requests.delete(requestId)
  }

  callTool(command: CallTool): void {
    const tool = new AbortController()
    this.#tools.set(command.callId, tool)
    void this.#answerTool(command, tool).finally(() => this.#tools.delete(command.callId))
  }

  /** Its answer is not emitted any more. */
  cancelTool(callId: string): void {
    this.#tools.get(callId)?.abort()
  }

  close(): void {
    for (const requestId of this.#requests.keys()) this.cancel(requestId)
    for (const tool of this.#tools.values()) tool.abort()
  }

  async #answer(command: StartLlm, signal: AbortSignal): Promise<void> {
    const { requestId, messages, tools } = command
    const { emit, languageModel, logger, model } = this.#deps
    try {
      for await (const delta of languageModel.stream({ model, messages, tools }, signal)) {
        if (signal.aborted) return
        if (delta.type === 'text') {
          emit({ type: 'llmText', requestId, text: delta.text, model: delta.model })
        } else if (delta.type === 'toolCall') {
          const { id, name, arguments: json } = delta.call
          emit({ type: 'llmToolCall', requestId, callId: id, name, arguments: json })
        }
      }
      if (!signal.aborted) emit({ type: 'llmDone', requestId })
    } catch (error) {
      if (signal.aborted) return
      logger.warn('the language model failed', { requestId, error })
      emit({ type: 'llmFailed', requestId })
    } finally {
      this.#requests.delete(requestId)
    }
  }

  async #answerTool(command: CallTool, tool: AbortController): Promise<void> {
    const { emit, logger, timers, tools } = this.#deps
    const { callId, name } = command
    const noAnswer = Promise.withResolvers<never>()
    const stopWaiting = timers.after(TOOL_TIMEOUT_MS, () => {
      noAnswer.reject(new Error('the tool did not answer in time'))
    })
    tool.signal.addEventListener('abort', () => noAnswer.reject(tool.signal.reason))
    try {
      const call = tools.call(name, command.arguments, tool.signal)
      const { output, isError } = await Promise.race([call, noAnswer.promise])
      if (tool.signal.aborted) return
      emit({ type: 'toolAnswered', callId, output: output.slice(0, TOOL_OUTPUT_MAX), isError })
    } catch (error) {
      if (tool.signal.aborted) return
      logger.warn('a tool failed', { name, error })
      emit({ type: 'toolAnswered', callId, output: 'The tool failed.', isError: true })
      tool.abort()
    } finally {
      stopWaiting()
    }
  }
}
