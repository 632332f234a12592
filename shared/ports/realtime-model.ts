import type { ToolCall, ToolDefinition } from '#shared/domain/chat.ts'
import type { LlmModel } from '#shared/domain/llm-model.ts'

/**
 * A model that hears and speaks itself (spec 2.3 `realtime`): it decides when the caller's turn is
 * over, answers, and stops when it is interrupted. Audio is mu-law 8 kHz both ways.
 */
export interface RealtimeModel {
  open(options: RealtimeOptions, listener: (event: RealtimeEvent) => void): RealtimeStream
}

export interface RealtimeOptions {
  readonly model: Extract<LlmModel, { type: 'realtime' }>
  readonly instructions: string
  readonly tools: readonly ToolDefinition[]
  /** What was said before, for example over a connection that was lost. */
  readonly history: readonly SaidText[]
  /** ISO 639-1. */
  readonly languageHints: readonly string[]
  /** For the vendor's own logs. */
  readonly reference: string
}

export interface SaidText {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

/** Everything may be called at once: what the model cannot take yet is kept for it, within a bound. */
export interface RealtimeStream {
  /** Whole frames of the caller, some of them at a time. */
  write(audio: Uint8Array): void
  /** Has the model speak now, or when it has finished; it is told why in words that nobody hears. */
  respond(instructions: string): void
  /** Adds to what was said, without an answer: words that the caller heard from elsewhere. */
  remember(said: SaidText): void
  answerTool(callId: string, output: string): void
  /**
   * Of this utterance the caller heard so much and will hear no more: the model stops saying it and,
   * where the vendor can, remembers only what was heard.
   */
  cut(utterance: string, heardMs: number): void
  close(): void
}

/** `utterance` names what the model says in one go; nothing of it comes after `utteranceDone`. */
export type RealtimeEvent =
  /** The model listens. */
  | { readonly type: 'ready' }
  /** Of the caller, ms of the audio written; only where the vendor tells. */
  | { readonly type: 'speechStarted'; readonly atMs: number }
  | { readonly type: 'speechStopped'; readonly atMs: number }
  /** The caller's turn so far, or all of it. */
  | { readonly type: 'userText'; readonly text: string; readonly isFinal: boolean }
  | { readonly type: 'audio'; readonly utterance: string; readonly audio: Uint8Array }
  /** The next words of it. */
  | { readonly type: 'agentText'; readonly utterance: string; readonly text: string }
  | { readonly type: 'utteranceDone'; readonly utterance: string }
  /**
   * The caller speaks, perhaps over the model: nothing of what it said so far should be heard any
   * more, and nothing of it comes any more. How much was heard is told with `cut`.
   */
  | { readonly type: 'interrupted' }
  | { readonly type: 'toolCall'; readonly call: ToolCall }
  /** Its answer is not wanted any more. */
  | { readonly type: 'toolCancelled'; readonly callId: string }
  /** The model could not answer, and listens on. */
  | { readonly type: 'answerFailed'; readonly error: unknown }
  /** The stream is over. */
  | { readonly type: 'failed'; readonly error: unknown }
