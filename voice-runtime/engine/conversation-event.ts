import type { ToolCall } from '#shared/domain/chat.ts'

/**
 * Everything that a call tells the conversation. `atMs` counts from the start of the media session.
 * Events may be late, doubled, or belong to work that was cancelled; one that does not apply is ignored.
 */
export type ConversationEvent = { readonly atMs: number } & (
  | HearingEvent
  | ThinkingEvent
  | RealtimeEvent
  | SpeakingEvent
  | LegEvent
  | { readonly type: 'timerFired'; readonly name: TimerName }
  | ControlEvent
)

type HearingEvent =
  /** The VAD is sure of speech; it began at `startedAtMs`, a little before `atMs`. */
  | { readonly type: 'speechStarted'; readonly startedAtMs: number }
  /** The VAD is sure that speech paused; the last of it was at `endedAtMs`. */
  | { readonly type: 'speechEnded'; readonly endedAtMs: number }
  /** Replaces the interim text before it. */
  | { readonly type: 'interimTranscript'; readonly text: string }
  | {
      readonly type: 'finalTranscript'
      readonly text: string
      readonly startedAtMs: number
      readonly endedAtMs: number
    }
  /** The recogniser holds the turn for finished. */
  | { readonly type: 'endOfTurnHint' }
  | { readonly type: 'recogniserFailed' }
  | { readonly type: 'dtmfReceived'; readonly digit: string }
  /** A single steady tone has ended (voicemail beep, fax). */
  | { readonly type: 'toneEnded'; readonly hz: number; readonly durationMs: number }

type ThinkingEvent =
  | {
      readonly type: 'llmText'
      readonly requestId: string
      readonly text: string
      readonly model: string
    }
  | {
      readonly type: 'llmToolCall'
      readonly requestId: string
      readonly callId: string
      readonly name: string
      /** JSON text as the model wrote it. */
      readonly arguments: string
    }
  | { readonly type: 'llmDone'; readonly requestId: string }
  | { readonly type: 'llmFailed'; readonly requestId: string }
  | {
      readonly type: 'toolAnswered'
      readonly callId: string
      readonly output: string
      readonly isError: boolean
    }

/** A speech-to-speech model; what it has heard is a `finalTranscript`. An utterance is a speech of its name. */
type RealtimeEvent =
  | { readonly type: 'modelBegan'; readonly utterance: string }
  /** The next words of it. */
  | { readonly type: 'modelText'; readonly utterance: string; readonly text: string }
  /** The callee speaks over it. */
  | { readonly type: 'modelInterrupted' }
  | { readonly type: 'modelToolCall'; readonly call: ToolCall }
  | { readonly type: 'modelToolCancelled'; readonly callId: string }
  /** It could not answer, and listens on. */
  | { readonly type: 'modelFailed' }
  | { readonly type: 'modelLost' }

type SpeakingEvent =
  /** First audio came from the voice, `ttfbMs` after it was asked. */
  | { readonly type: 'speechReady'; readonly speechId: string; readonly ttfbMs: number }
  /** The first frame of this speech was sent to the callee. */
  | { readonly type: 'playoutStarted'; readonly speechId: string }
  /** The callee has heard all of it. */
  | { readonly type: 'playoutDone'; readonly speechId: string }
  /** Answer to `flushPlayout`: how much of the speech that was playing had been heard. */
  | {
      readonly type: 'playoutFlushed'
      readonly speechId: string
      readonly heardText: string
      /** Of an utterance of a speech-to-speech model: how long, and how much of it had come. */
      readonly heardMs?: number
      readonly saidMs?: number
    }
  | { readonly type: 'speechFailed'; readonly speechId: string }

type LegEvent =
  /** The carrier's own detection, where it has one. */
  | { readonly type: 'carrierVerdict'; readonly answeredBy: 'human' | 'machine' }
  /** The callee (or the carrier) ended the call. */
  | { readonly type: 'calleeHungUp' }

type ControlEvent =
  /** The owner or the service wants the call to end now. */
  { readonly type: 'endRequested'; readonly endReason: 'client_initiated' | 'participant_removed' }

export type TimerName =
  | 'opening'
  | 'endpoint'
  | 'interruption'
  | 'falseInterruption'
  | 'inactivity'
  | 'maxDuration'
  | 'machine'
  | 'gate'
  | 'llmFirstToken'
  | 'deadAir'
  | 'ttsFirstAudio'
  | 'hangUp'
