/** What is kept of calls: recordings (stereo WAV, callee left, agent right) and their histories. */
export interface Recordings {
  /** Stored complete or not at all. */
  put(key: string, content: RecordedSound, mediaType?: string): Promise<void>
  /** A link that works for an hour (decisions 2). */
  url(key: string): Promise<string>
}

/** A recording that may be too large to be held in memory. */
export interface RecordedSound {
  readonly bytes: number
  /** All of it, from the beginning, as often as it is asked for. */
  chunks(): AsyncIterable<Uint8Array>
}
