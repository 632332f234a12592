import type { SoundName } from '#shared/audio/sounds/sound-name.ts'
import type { SpokenWord } from '#shared/audio/word-times.ts'

import type { SoundLayer } from '../media/sound-bed.ts'
import type { SpeechChange } from '../media/speech-segmenter.ts'
import type { RecordedCall } from './recorded-call.ts'

/** Which attempt a call is. */
export interface CallReference {
  readonly orderId: string
  readonly number: number
}

/** The media of an attempt has started. */
export interface MediaArrival extends CallReference {
  readonly media: CallMedia
}

/**
 * The live audio of one call as its conversation sees it: pacing, hearing and recording happen behind
 * it, perhaps in another thread. Whatever crosses it is plain data.
 */
export interface CallMedia {
  /** The carrier's own id of the call. */
  readonly callId: string
  /** By the media clock, when the carrier said that media starts: the zero of the session. */
  readonly startedAt: number
  /** To be called once. What was heard before is told at once, within a bound. */
  listen(listener: (event: MediaEvent) => void): void
  /** Performed in order. */
  perform(command: MediaCommand): void
  /** Tells the listener now what is on its way to it. */
  catchUp(): void
  /**
   * Nothing more is heard, said or told. What was recorded up to `durationMs`, whose file is the
   * caller's to close; null when there is none.
   */
  end(durationMs: number): Promise<RecordedCall | null>
}

export type MediaCommand =
  /** Its audio follows, and is played after everything queued before. */
  | { readonly type: 'queueSpeech'; readonly speechId: string; readonly text: string }
  /** mu-law 8 kHz of any length. */
  | {
      readonly type: 'addAudio'
      readonly speechId: string
      readonly audio: Uint8Array
      readonly words: readonly SpokenWord[]
    }
  /** No more audio of this speech will come. */
  | { readonly type: 'completeSpeech'; readonly speechId: string }
  /** Whether queued speech waits. */
  | { readonly type: 'hold'; readonly isHeld: boolean }
  /** Under the voice and between its words; replaces the one of that layer, null ends it. */
  | {
      readonly type: 'setSound'
      readonly layer: SoundLayer
      readonly sound: SoundName | null
      /** 0 to 1. */
      readonly volume: number
    }
  /** Silence, now: drops what plays and what waits, and holds nothing any more. */
  | { readonly type: 'flush' }
  /** `alarmRang` when the callee was heard up to `atMs`. Replaces one of that name. */
  | { readonly type: 'setAlarm'; readonly name: string; readonly atMs: number }
  | { readonly type: 'clearAlarm'; readonly name: string }
  /** Whether `toneEnded` is of any interest. Not from the start. */
  | { readonly type: 'listenForTones'; readonly isWanted: boolean }
  /** Harmless when repeated; `stopped` follows. */
  | { readonly type: 'close' }

/** `atMs` of the session: when it happened, or was noticed. */
export type MediaEvent = { readonly atMs: number } & (
  | SpeechChange
  /** Whole frames of the callee, mu-law 8 kHz, that began at `fromMs`; each follows the one before. */
  | { readonly type: 'audio'; readonly audio: Uint8Array; readonly fromMs: number }
  | { readonly type: 'toneEnded'; readonly hz: number; readonly durationMs: number }
  | { readonly type: 'dtmfReceived'; readonly digit: string }
  | { readonly type: 'alarmRang'; readonly name: string }
  /** The first frame of this speech was sent. */
  | { readonly type: 'playoutStarted'; readonly speechId: string }
  /** The callee has heard all of it. */
  | { readonly type: 'playoutDone'; readonly speechId: string }
  /** It was playing when it was flushed; how much of it was heard. */
  | {
      readonly type: 'playoutFlushed'
      readonly speechId: string
      readonly heardText: string
      readonly heardMs: number
    }
  /** The last one: the carrier said so, the socket was lost, or the media was closed. */
  | { readonly type: 'stopped' }
)

type WithoutTime<Event> = Event extends unknown ? Omit<Event, 'atMs'> : never

/** What a part of the media reports; whoever passes it on adds when. */
export type UntimedMediaEvent = WithoutTime<MediaEvent>
