/** The live audio of one call, whichever carrier it comes from. */
export interface MediaChannel {
  /** The carrier's own id of the call. */
  readonly callId: string
  /** By the media clock, when the carrier said that media starts: the zero of the session. */
  readonly startedAt: number
  /** To be called once. What arrived before is delivered at once, within a bound. */
  listen(listener: MediaListener): void
  /** mu-law 8 kHz of any length; played after everything sent before it. */
  sendAudio(audio: Uint8Array): void
  /** Comes back through `onMark` when everything sent before it was played or cleared. */
  sendMark(name: string): void
  /** Drops what was sent and not yet played. */
  sendClear(): void
  /** Harmless when repeated; `onStop` follows. */
  close(): void
}

export interface MediaListener {
  /**
   * 20 ms of mu-law 8 kHz from the callee, beginning at `atMs` of the media by the carrier's count,
   * however late it arrives. Each follows the one before without a gap.
   */
  onFrame(frame: Uint8Array, atMs: number): void
  onDtmf(digit: string): void
  onMark(name: string): void
  /** The last call: the carrier said so, the socket was lost, or the channel was closed. */
  onStop(): void
}
