/** Everything that a conversation asks of the session. Commands are performed in order. */

import type { AttemptResult, EndedBy, EndReason } from '#shared/domain/call-attempt/attempt.ts'
import type { ChatMessage, ToolDefinition } from '#shared/domain/chat.ts'
import type { SpeechEvent, TranscriptEntry } from '#shared/domain/transcript.ts'

import type { TimerName } from './conversation-event.ts'

export type ConversationCommand =
  | {
      readonly type: 'startLlm'
      readonly requestId: string
      readonly messages: readonly ChatMessage[]
      readonly tools: readonly ToolDefinition[]
    }
  | { readonly type: 'cancelLlm'; readonly requestId: string }
  /** All that was said up to now is to be recognised now: the callee has paused. */
  | { readonly type: 'finalizeTranscript' }
  /**
   * Queues one piece of speech after those already queued. Speeches are played in order. Those of one
   * turn of the agent have the same `turn`.
   */
  | {
      readonly type: 'speak'
      readonly speechId: string
      readonly text: string
      readonly turn: number
    }
  /** Whether queued speech waits to be played; a flush lets go. */
  | { readonly type: 'holdPlayout'; readonly isHeld: boolean }
  /**
   * Stops what plays and drops what waits, and cancels their synthesis. Answered by one
   * `playoutFlushed` for the speech that was playing, if one was.
   */
  | { readonly type: 'flushPlayout' }
  /** The callee waits for words of this turn of the agent; null: no longer. Only if settings ask for it. */
  | { readonly type: 'setThinking'; readonly turn: number | null }
  | {
      readonly type: 'callTool'
      readonly callId: string
      readonly name: string
      readonly arguments: string
    }
  /** Nobody waits for its answer any more. */
  | { readonly type: 'cancelTool'; readonly callId: string }
  /** From now on the speech-to-speech model hears the callee, also what was said since `hearFromMs`. */
  | {
      readonly type: 'letModelListen'
      readonly hearFromMs: number | null
      /** The conversation so far. */
      readonly said: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[]
    }
  /** It speaks when it can, for a reason that nobody hears. */
  | { readonly type: 'haveModelSpeak'; readonly instructions: string }
  | { readonly type: 'answerModelTool'; readonly callId: string; readonly output: string }
  /** No more of this utterance is wanted; so much of it was heard. */
  | { readonly type: 'cutModel'; readonly utterance: string; readonly heardMs: number }
  /** Its audio is played after everything queued before, as a speech of that name. */
  | { readonly type: 'queueUtterance'; readonly utterance: string }
  | { readonly type: 'sendDtmf'; readonly digits: string }
  /** Replaces a timer of the same name that is still running. `HEARD_TIMERS` go by heard audio. */
  | { readonly type: 'setTimer'; readonly name: TimerName; readonly inMs: number }
  | { readonly type: 'clearTimer'; readonly name: TimerName }
  | { readonly type: 'appendTranscript'; readonly entry: TranscriptEntry }
  /** `id` is added by the session. */
  | { readonly type: 'emitSpeechEvent'; readonly event: Omit<SpeechEvent, 'id'> }
  /** Who answered; may be given again with a better verdict. */
  | { readonly type: 'setResult'; readonly result: AttemptResult }
  /** The person has asked never to be called again. Given once. */
  | { readonly type: 'noteOptOut' }
  | { readonly type: 'hangUp' }
  /** The last command of a conversation. `endReason` only when the agent ended it. */
  | { readonly type: 'finish'; readonly endedBy: EndedBy; readonly endReason: EndReason | null }
