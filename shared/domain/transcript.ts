/** What was said and done in a call: spec 2.10, transcript entries and speech events. */

export const TRANSCRIPT_ROLES = ['user', 'assistant', 'human_agent', 'tool'] as const
export type TranscriptRole = (typeof TRANSCRIPT_ROLES)[number]

export interface TranscriptEntry {
  readonly role: TranscriptRole
  readonly content: string
  readonly toolName?: string | undefined
  readonly toolArguments?: Readonly<Record<string, unknown>> | string | undefined
  readonly toolOutput?: string | undefined
  readonly toolIsError?: boolean | undefined
}

export const SPEAKERS = ['user', 'agent'] as const

/** One segment of speech. All times are ms since the media session started. */
export interface SpeechEvent {
  readonly id: string
  /** False for noise: the VAD heard something and nothing was recognised. */
  readonly isRealTurn: boolean
  readonly speaker: (typeof SPEAKERS)[number]
  readonly startedSpeakingAtMs: number
  /** Null when the session ended first. */
  readonly stoppedSpeakingAtMs: number | null
  readonly transcript: string
  /** User turns only. */
  readonly sttTranscriptionDelayMs: number | null
  /** Agent only: whole prompt and history as JSON. */
  readonly llmSystemPrompt: string | null
  readonly llmTtftMs: number | null
  readonly llmWinnerModel: string | null
  readonly ttsTtfbMs: number | null
  /** Agent only; null on user segments. */
  readonly wasCut: boolean | null
}
