import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { LlmDelta } from '#shared/ports/language-model.ts'

/** What we read of a chunk; every field may be missing or of another type than promised. */
interface Chunk {
  readonly model?: unknown
  readonly error?: unknown
  readonly choices?: readonly {
    readonly delta?: ChunkDelta | null
    /** Servers that do not stream give the whole answer here. */
    readonly message?: ChunkDelta | null
    readonly finish_reason?: unknown
  }[]
}

interface ChunkDelta {
  readonly content?: unknown
  readonly tool_calls?: readonly ToolPiece[] | null
}

interface ToolPiece {
  readonly index?: number
  readonly id?: string | null
  readonly function?: { readonly name?: string | null; readonly arguments?: unknown } | null
}

interface CallInProgress {
  readonly index: number | undefined
  id: string | null
  name: string
  arguments: string
}

type FinishReason = Extract<LlmDelta, { type: 'done' }>['finishReason']

/** Puts the chunks of one answer together, whatever dialect the server speaks. */
export interface ChatAnswer {
  /** The text of one chunk; reasoning is never part of it. Throws AdapterError. */
  take(json: string): LlmDelta[]
  /** Tool calls and the end. Throws AdapterError when the server has not said that it was the end. */
  finish(): LlmDelta[]
}

/** `newCallId` names tool calls whose server gave them no id. */
export function chatAnswer(options: {
  readonly modelName: string
  readonly newCallId: () => string
}): ChatAnswer {
  const calls: CallInProgress[] = []
  let model = options.modelName
  let finishReason: FinishReason | null = null

  return {
    take(json) {
      if (json.trim() === '[DONE]') {
        finishReason ??= 'stop'
        return []
      }
      const chunk = parseChunk(json)
      if (chunk.error) throw errorInStream(chunk.error)
      if (typeof chunk.model === 'string' && chunk.model !== '') model = chunk.model
      const choice = chunk.choices?.[0]
      if (!choice) return []
      finishReason = finishReasonOf(choice.finish_reason) ?? finishReason
      const delta = choice.delta ?? choice.message
      for (const piece of delta?.tool_calls ?? []) addPiece(calls, piece)
      const text = delta?.content
      return typeof text === 'string' && text !== '' ? [{ type: 'text', text, model }] : []
    },

    finish() {
      if (finishReason === null) {
        throw new AdapterError('language model stopped before its end', { retryable: true })
      }
      const complete = finishReason !== 'length' && finishReason !== 'content_filter'
      const whole = complete ? calls.filter((call) => call.name !== '') : []
      const deltas = whole.map((call): LlmDelta => {
        const id = call.id ?? options.newCallId()
        return {
          type: 'toolCall',
          call: { id, name: call.name, arguments: call.arguments.trim() || '{}' },
          model,
        }
      })
      // Some servers say `stop` although they call tools.
      if (whole.length > 0) finishReason = 'tool_calls'
      return [...deltas, { type: 'done', finishReason }]
    },
  }
}

function parseChunk(json: string): Chunk {
  try {
    const chunk: unknown = JSON.parse(json)
    if (typeof chunk === 'object' && chunk !== null) return chunk
  } catch {
    // Reported below, without the text: it may be part of a conversation.
  }
  throw new AdapterError('language model sent a chunk that is not a JSON object', {
    retryable: true,
  })
}

/**
 * Pieces of one call share an `index`. Servers that give whole calls leave it out, or number each
 * call 0: a new id, or a second name, is then a new call.
 */
function addPiece(calls: CallInProgress[], piece: ToolPiece): void {
  const id = piece.id || null
  const name = piece.function?.name || ''
  const open =
    piece.index === undefined ? calls.at(-1) : calls.findLast((call) => call.index === piece.index)
  const isOther =
    open === undefined ||
    (id !== null && open.id !== null && id !== open.id) ||
    (piece.index === undefined && id === null && name !== '' && open.name !== '')
  const call = isOther ? { index: piece.index, id: null, name: '', arguments: '' } : open
  if (isOther) calls.push(call)

  call.id ??= id
  if (call.name === '') call.name = name
  const written = piece.function?.arguments
  if (typeof written === 'string') call.arguments += written
  else if (typeof written === 'object' && written !== null) call.arguments = JSON.stringify(written)
}

function finishReasonOf(reason: unknown): FinishReason | null {
  switch (reason) {
    case undefined:
    case null:
    case '':
      return null
    case 'length':
    case 'content_filter':
    case 'tool_calls':
      return reason
    case 'function_call':
      return 'tool_calls'
    case 'error':
      throw new AdapterError('language model failed while answering', { retryable: true })
    default:
      return 'stop'
  }
}

/** The vendor's own words stay out: they may repeat the conversation. */
function errorInStream(error: unknown): AdapterError {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null
  const status = typeof code === 'number' ? code : null
  return new AdapterError('language model reported an error while answering', {
    retryable: status === null || isRetryableStatus(status),
    status,
  })
}

/** Whether a later identical request may be answered (reference/protocols-media.md 9). */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500
}
