/** What a call with a speech-to-speech model tells its conversation, and what that asks for. */

import type { ToolCall } from '#shared/domain/chat.ts'

import type { ConversationCommand } from './conversation-command.ts'
import type { ConversationEvent } from './conversation-event.ts'

type From<Type extends ConversationEvent['type']> = Extract<
  ConversationEvent,
  { readonly type: Type }
>

/** An utterance of the model is a speech of the same name. */
export type RealtimeEvent =
  | From<
      | 'speechStarted'
      | 'speechEnded'
      | 'toolAnswered'
      | 'playoutStarted'
      | 'playoutDone'
      | 'speechFailed'
      | 'timerFired'
      | 'calleeHungUp'
      | 'endRequested'
    >
  | ({ readonly atMs: number } & ModelEvent)

type ModelEvent =
  /** `heardMs` of the `saidMs` that had come of the speech that was playing. */
  | {
      readonly type: 'playoutFlushed'
      readonly speechId: string
      readonly heardText: string
      readonly heardMs: number
      readonly saidMs: number
    }
  /** The first audio of an utterance has come. */
  | { readonly type: 'modelBegan'; readonly utterance: string }
  | { readonly type: 'modelText'; readonly utterance: string; readonly text: string }
  /** What the callee has said, as the model understood it. */
  | { readonly type: 'modelHeard'; readonly text: string }
  | { readonly type: 'modelInterrupted' }
  | { readonly type: 'modelToolCall'; readonly call: ToolCall }
  | { readonly type: 'modelToolCancelled'; readonly callId: string }
  /** It could not answer, and listens on. */
  | { readonly type: 'modelAnswerFailed' }
  | { readonly type: 'modelLost' }

/** Performed in order. */
export type RealtimeCommand =
  | Extract<
      ConversationCommand,
      {
        readonly type:
          | 'callTool'
          | 'flushPlayout'
          | 'setTimer'
          | 'clearTimer'
          | 'appendTranscript'
          | 'emitSpeechEvent'
          | 'setResult'
          | 'hangUp'
          | 'finish'
      }
    >
  /** Its audio follows, and is played after everything queued before. */
  | { readonly type: 'queueUtterance'; readonly utterance: string }
  /** From now on the model hears the callee. */
  | { readonly type: 'letModelListen' }
  | { readonly type: 'haveModelRespond'; readonly instructions: string }
  /** The callee has heard these words of the agent from elsewhere. */
  | { readonly type: 'tellModelSaid'; readonly text: string }
  | { readonly type: 'answerModelTool'; readonly callId: string; readonly output: string }
  | { readonly type: 'cutModel'; readonly utterance: string; readonly heardMs: number }
  /** Says these very words with the assistant's voice. */
  | { readonly type: 'speak'; readonly speechId: string; readonly text: string }
