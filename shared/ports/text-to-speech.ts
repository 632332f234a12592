import type { Voice } from '#shared/domain/assistant.ts'

/** Speech synthesis, one sentence or so at a time. */
export interface TextToSpeech {
  /**
   * Audio as it becomes ready: mu-law 8 kHz, chunks of any length. Ends after the last one;
   * throws AdapterError. Aborting the signal cancels at the vendor.
   */
  synthesize(request: SpeechRequest, signal: AbortSignal): AsyncIterable<SpeechChunk>
}

export interface SpeechRequest {
  readonly text: string
  readonly voice: Voice | null
  readonly pronunciationDictionaryId: string | null
  /**
   * Sentences of the same utterance are asked for in the order in which they are said; a voice that
   * can says them in one breath. Unique in the process; a sentence without one stands alone.
   */
  readonly utterance?: string | undefined
  /** Said in many calls: worth keeping. */
  readonly isFixed?: boolean
}

export interface SpeechChunk {
  readonly audio: Uint8Array
  /** Words whose end is known so far: ms from the start of this synthesis. Empty when the vendor gives none. */
  readonly words: readonly { readonly text: string; readonly endMs: number }[]
}
