/** Tells speech from the rest, 20 ms of mu-law at a time, for every call of the process. */
export interface VoiceActivityDetector {
  open(listener: (probability: number) => void): VoiceActivityStream
}

export interface VoiceActivityStream {
  /** Each 32 ms of audio gives the listener one probability of speech, 0..1. */
  write(frame: Uint8Array): void
  close(): void
}
