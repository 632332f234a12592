import type { LlmModel } from '#shared/domain/llm-model.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { Timers } from '#shared/ports/clock.ts'
import type { LanguageModel, LlmDelta, LlmRequest } from '#shared/ports/language-model.ts'

import { chatAnswer, isRetryableStatus } from './chat-answer.ts'
import { chatRequestBody } from './chat-request.ts'
import type { LlmEndpoint } from './llm-endpoint.ts'
import { readSse } from './sse-reader.ts'
import { startWatch } from './watch.ts'
import type { Watch } from './watch.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface ChatCompletionsOptions {
  /** Null when this installation does not offer the model. */
  readonly resolve: (model: LlmModel) => LlmEndpoint | null
  /** Reaches the endpoints that the operator configured. */
  readonly fetch: Fetch
  /** Reaches the endpoints of `custom` models, whose addresses users gave us. */
  readonly guardedFetch: Fetch
  readonly timers: Timers
  readonly limits?: ChatLimits
}

export interface ChatLimits {
  /** Longest wait for the next bytes: for the connection and the answer's head, and inside it. */
  readonly silenceMs: number
  readonly totalMs: number
  /** Longest single chunk, and longest answer of a server that does not stream. */
  readonly maxChunkChars: number
}

export const DEFAULT_CHAT_LIMITS: ChatLimits = {
  silenceMs: 10_000,
  totalMs: 120_000,
  maxChunkChars: 1_000_000,
}

/**
 * A chat model behind an OpenAI-compatible API (reference/protocols-media.md 9 and 10).
 * Errors are AdapterErrors, retryable only while no delta was given. An aborted stream throws the
 * signal's reason.
 */
export function chatCompletions(options: ChatCompletionsOptions): LanguageModel {
  const limits = options.limits ?? DEFAULT_CHAT_LIMITS
  let callsNamed = 0

  async function* stream(request: LlmRequest, signal: AbortSignal): AsyncGenerator<LlmDelta> {
    signal.throwIfAborted()
    const endpoint = options.resolve(request.model)
    if (endpoint === null) {
      throw new AdapterError('no endpoint for this language model', { retryable: false })
    }
    const answer = chatAnswer({
      modelName: endpoint.modelName,
      newCallId: () => `call_${++callsNamed}`,
    })
    const fetch = request.model.type === 'custom' ? options.guardedFetch : options.fetch
    const watch = startWatch({ timers: options.timers, limits, signal })
    let isStarted = false
    try {
      const response = await open({ fetch, endpoint, request, watch })
      for await (const chunk of chunksOf(response, watch, limits.maxChunkChars)) {
        const deltas = answer.take(chunk)
        isStarted ||= deltas.length > 0
        yield* deltas
        signal.throwIfAborted()
      }
      yield* answer.finish()
    } catch (error) {
      signal.throwIfAborted()
      throw isStarted ? unrepeatable(error) : error
    } finally {
      watch.stop()
    }
  }

  return { stream }
}

/** Sends the request; once more without `response_format` to a server that knows none. */
async function open(options: {
  readonly fetch: Fetch
  readonly endpoint: LlmEndpoint
  readonly request: LlmRequest
  readonly watch: Watch
}): Promise<Response> {
  const { fetch, endpoint, request, watch } = options
  const send = (body: Record<string, unknown>) =>
    watch.during(() =>
      fetch(`${endpoint.baseUrl.replace(/\/+$/, '')}/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${endpoint.apiKey}`,
          'content-type': 'application/json',
          accept: 'text/event-stream',
        },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: watch.signal,
      }),
    )

  const body = chatRequestBody(request, endpoint)
  let response = await send(body)
  if (response.status === 400 && request.responseSchema) {
    await response.body?.cancel()
    const { response_format: _unknown, ...plain } = body
    response = await send(plain)
  }
  if (response.ok) return response

  await response.body?.cancel()
  const retryAfter = response.headers.get('retry-after') ?? ''
  throw new AdapterError(`language model answered ${response.status}`, {
    retryable: isRetryableStatus(response.status),
    status: response.status,
    retryAfterSecs: /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null,
  })
}

/** The chunks of a streamed answer, or the one chunk of a server that does not stream. */
async function* chunksOf(
  response: Response,
  watch: Watch,
  maxChunkChars: number,
): AsyncGenerator<string> {
  if (response.body === null) return
  const bytes = watch.read(response.body)
  if (!(response.headers.get('content-type') ?? '').includes('application/json')) {
    yield* readSse(bytes, maxChunkChars)
    return
  }
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of bytes) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > maxChunkChars) {
      throw new AdapterError('language model answered too much', { retryable: false })
    }
  }
  yield text
}

function unrepeatable(error: unknown): unknown {
  if (!(error instanceof AdapterError) || !error.retryable) return error
  return new AdapterError(error.message, { retryable: false, status: error.status, cause: error })
}
