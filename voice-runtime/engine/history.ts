/** What has been said and done so far, and how a model and the transcript read it. */

import type { ChatMessage, ToolCall } from '#shared/domain/chat.ts'
import type { TranscriptEntry } from '#shared/domain/transcript.ts'

/** `agent` holds only what the callee has heard. */
export type HistoryItem =
  | { readonly type: 'user' | 'agent'; readonly text: string }
  | {
      readonly type: 'tool'
      readonly call: ToolCall
      readonly output: string
      readonly isError: boolean
    }

/**
 * Neighbours of one role become one message, and a tool call joins the words before it: some vendors
 * insist on taking turns.
 */
export function toMessages(items: readonly HistoryItem[]): readonly ChatMessage[] {
  const messages: ChatMessage[] = []
  for (const item of items) {
    const before = messages.at(-1)
    const open = before?.role === 'assistant' && before.toolCalls === undefined ? before : null
    if (item.type === 'tool') {
      if (open !== null) messages.pop()
      messages.push(
        { role: 'assistant', content: open?.content ?? '', toolCalls: [item.call] },
        { role: 'tool', toolCallId: item.call.id, content: item.output },
      )
      continue
    }
    const role = item.type === 'user' ? 'user' : 'assistant'
    const joins = role === 'user' ? before?.role === 'user' : open !== null
    if (joins) messages.pop()
    messages.push({ role, content: joinText([joins ? (before?.content ?? '') : '', item.text]) })
  }
  return messages
}

/** Spec 2.10, transcript entry. */
export function toTranscriptEntry(item: HistoryItem): TranscriptEntry {
  if (item.type !== 'tool') {
    return { role: item.type === 'user' ? 'user' : 'assistant', content: item.text }
  }
  return {
    role: 'tool',
    content: '',
    toolName: item.call.name,
    toolArguments: parsedArguments(item.call.arguments),
    toolOutput: item.output,
    toolIsError: item.isError,
  }
}

/** The object that a model wrote, or its raw text when it is none (spec 2.10, `tool_arguments`). */
function parsedArguments(text: string): Readonly<Record<string, unknown>> | string {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Readonly<Record<string, unknown>>) : text
  } catch {
    return text
  }
}

/** Pieces of speech as one text. */
export function joinText(pieces: readonly string[]): string {
  return pieces
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .join(' ')
}
