import type { SpokenWord } from '#shared/audio/word-times.ts'
import type { Voice } from '#shared/domain/assistant.ts'
import type { AdapterError } from '#shared/ports/adapter-error.ts'

import type { VendorMessage } from '../websocket/vendor-socket.ts'

/** How something is to be said; the same for all sentences of a context. */
export interface SpeechSettings {
  /** With the vendor's own id. */
  readonly voice: Voice
  readonly pronunciationDictionaryId: string | null
  /** ISO 639-1; null when it is not known. */
  readonly language: string | null
}

/**
 * What a vendor's WebSocket understands and says; no I/O. A *context* is what vendors speak in one
 * breath; several share a connection. Frames are objects that are sent as JSON.
 */
export interface SpeechProtocol {
  /** Names the vendor's part in errors and logs. */
  readonly name: string
  /** The vendor refuses more at once. */
  readonly contextsPerConnection: number
  readonly connectionsMax: number
  /** Whether a context takes several sentences and says after each that it is done. */
  readonly joinsSentences: boolean
  /** Whether the times of words count from the start of the context or of their sentence. */
  readonly wordTimesFrom: 'context' | 'sentence'
  /** Whether the vendor says `done` of a context that was cancelled: until then it counts as open. */
  readonly answersCancel: boolean
  address(settings: SpeechSettings): {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
  }
  open(contextId: string, settings: SpeechSettings): readonly object[]
  /** One sentence, without spaces around it. */
  say(contextId: string, text: string, settings: SpeechSettings): readonly object[]
  /** No more sentences will come. */
  finish(contextId: string, settings: SpeechSettings): readonly object[]
  /** `isFinished`: `finish` was sent before. */
  cancel(contextId: string, isFinished: boolean): readonly object[]
  /** A reader for one connection. What it is given may be anything; what makes no sense gives nothing. */
  reader(): (message: VendorMessage) => readonly SpeechEvent[]
}

/** `contextId` null: of every context of the connection. */
export type SpeechEvent = { readonly contextId: string | null } & (
  | { readonly type: 'audio'; readonly audio: Uint8Array; readonly words: readonly SpokenWord[] }
  /** The sentence whose turn it was is complete. */
  | { readonly type: 'sentenceDone' }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly error: AdapterError }
)
