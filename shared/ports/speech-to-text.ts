import type { SttModel } from '#shared/domain/assistant.ts'

/** Streaming recognition of one caller. Audio is mu-law 8 kHz in whole frames of 20 ms, some of them at a time. */
export interface SpeechToText {
  open(options: SttOptions, listener: (event: SttEvent) => void): SttStream
}

export interface SttOptions {
  readonly model: SttModel
  readonly languageHints: readonly string[]
  readonly context: {
    readonly general: readonly { readonly key: string; readonly value: string }[]
    readonly terms: readonly string[]
  }
  /** For the vendor's own logs. */
  readonly reference: string
}

export interface SttStream {
  write(audio: Uint8Array): void
  /** Asks for everything pending now. */
  finalize(): void
  close(): void
}

/** Times are ms of audio since the stream was opened. */
export type SttEvent =
  | { readonly type: 'interim'; readonly text: string }
  | {
      readonly type: 'final'
      readonly text: string
      readonly startMs: number
      readonly endMs: number
    }
  /** The recogniser holds the turn for finished. */
  | { readonly type: 'endOfTurn' }
  | { readonly type: 'failed'; readonly error: unknown }
