/** Call recordings: stereo WAV, callee left, agent right. */
export interface Recordings {
  put(key: string, wav: Uint8Array): Promise<void>
  /** A link that works for an hour (decisions 2). */
  url(key: string): Promise<string>
}
