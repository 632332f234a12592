import { decodeMulaw } from '#shared/audio/mulaw.ts'

/** What both detectors look at: 32 ms. */
export const WINDOW_SAMPLES = 256

/** Cuts mu-law frames into windows of PCM. */
export class SpeechWindows {
  #window = new Int16Array(WINDOW_SAMPLES)
  #filled = 0

  push(frame: Uint8Array): Int16Array[] {
    const pcm = decodeMulaw(frame)
    const windows: Int16Array[] = []
    for (let at = 0; at < pcm.length;) {
      const part = pcm.subarray(at, at + WINDOW_SAMPLES - this.#filled)
      this.#window.set(part, this.#filled)
      this.#filled += part.length
      at += part.length
      if (this.#filled < WINDOW_SAMPLES) continue
      windows.push(this.#window)
      this.#window = new Int16Array(WINDOW_SAMPLES)
      this.#filled = 0
    }
    return windows
  }
}
