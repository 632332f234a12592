/** The one audio format between carriers, recognisers and voices: 20 ms frames of mu-law at 8 kHz. */

import { MULAW_SILENCE } from './mulaw.ts'

export const SAMPLE_RATE_HZ = 8_000
export const SAMPLES_PER_MS = SAMPLE_RATE_HZ / 1_000
export const FRAME_MS = 20
export const FRAME_BYTES = FRAME_MS * SAMPLES_PER_MS

/** A frame in which nobody says anything. Shared: never written to. */
export const SILENT_FRAME: Uint8Array = new Uint8Array(FRAME_BYTES).fill(MULAW_SILENCE)

/** Cuts mu-law chunks of any length into whole frames; what does not fill a frame waits for more. */
export class Reframer {
  #rest = new Uint8Array(0)

  push(chunk: Uint8Array): Uint8Array[] {
    const audio = new Uint8Array(this.#rest.length + chunk.length)
    audio.set(this.#rest)
    audio.set(chunk, this.#rest.length)
    const frames: Uint8Array[] = []
    let at = 0
    for (; at + FRAME_BYTES <= audio.length; at += FRAME_BYTES) {
      frames.push(audio.subarray(at, at + FRAME_BYTES))
    }
    this.#rest = audio.slice(at)
    return frames
  }

  /** The rest, filled up with silence; null when there is none. */
  flush(): Uint8Array | null {
    if (this.#rest.length === 0) return null
    const frame = SILENT_FRAME.slice()
    frame.set(this.#rest)
    this.#rest = new Uint8Array(0)
    return frame
  }
}

/** Whole frames of one piece of audio, the last one filled up with silence. */
export function framesOf(audio: Uint8Array): Uint8Array[] {
  const reframer = new Reframer()
  const frames = reframer.push(audio)
  const last = reframer.flush()
  return last === null ? frames : [...frames, last]
}
