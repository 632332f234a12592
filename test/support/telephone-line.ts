import { FRAME_BYTES } from '#shared/audio/frame.ts'
import { energyOf } from '#shared/audio/goertzel.ts'
import { decodeMulaw, encodeMulaw } from '#shared/audio/mulaw.ts'

export interface LineOptions {
  /** Silence before and after the sound, in samples at 8 kHz: anything, not only whole frames. */
  readonly before?: number
  readonly after?: number
  readonly gain?: number
  /** Pink noise all the time, this many dB below the sound. */
  readonly noiseDb?: number
  readonly seed?: number
}

/** What arrives when mu-law audio is sent over a bad line. */
export function overTheLine(audio: Uint8Array, options: LineOptions = {}): Uint8Array {
  const { before = 4_000, after = 8_000, gain = 1, noiseDb, seed = 1 } = options
  const sent = decodeMulaw(audio)
  const received = new Float64Array(before + sent.length + after)
  for (const [i, sample] of sent.entries()) received[before + i] = sample * gain
  if (noiseDb !== undefined) {
    const level = (Math.sqrt(energyOf(sent) / sent.length) * gain) / 10 ** (noiseDb / 20)
    const noise = pinkNoise(seed)
    for (let i = 0; i < received.length; i++) received[i] = received[i]! + noise() * level
  }
  return encodeMulaw(
    Int16Array.from(received, (sample) => Math.max(-32_768, Math.min(32_767, sample))),
  )
}

/** The frames that a carrier makes of it; a rest that does not fill a frame is lost. */
export function carrierFrames(audio: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.floor(audio.length / FRAME_BYTES) }, (_, i) =>
    audio.subarray(i * FRAME_BYTES, (i + 1) * FRAME_BYTES),
  )
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}

export function silence(ms: number): Uint8Array {
  return new Uint8Array(ms * 8).fill(0xff)
}

/** Noise of mean power 1, the same for the same seed (after P. Kellet's filter). */
function pinkNoise(seed: number): () => number {
  let state = seed
  const random = (): number => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
  let [b0, b1, b2] = [0, 0, 0]
  return () => {
    const white = (random() - 0.5) * Math.sqrt(12)
    b0 = 0.99765 * b0 + white * 0.099046
    b1 = 0.963 * b1 + white * 0.2965164
    b2 = 0.57 * b2 + white * 1.0526913
    return (b0 + b1 + b2 + white * 0.1848) / PINK_RMS
  }
}

/** Measured over a million samples. */
const PINK_RMS = 2.97
