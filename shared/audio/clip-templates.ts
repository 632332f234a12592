/** Known recordings in the form in which they are recognised: loudness of eight bands over time. */

import { BANDS, BandEnvelope } from './band-envelope.ts'
import { FRAME_BYTES, FRAME_MS, SAMPLES_PER_MS, framesOf } from './frame.ts'
import { MULAW_SILENCE } from './mulaw.ts'

/** Silent frames before the clip: its onset tells as much as its sound. */
export const LEAD_FRAMES = 4
/** A clip may begin anywhere in a frame; each is kept as it looks at these offsets. */
const OFFSETS_MS = [0, 10]
/** Loudness grows with the fourth root of power: levels and noise matter less than shape. */
const LOUDNESS_EXPONENT = 0.25

export interface KnownClip {
  readonly text: string
  /** Mu-law 8 kHz without silence at its ends. */
  readonly audio: Uint8Array
}

export interface ClipTemplate {
  readonly clip: KnownClip
  readonly offsetMs: number
  readonly durationMs: number
  /** Frames including the lead; silence follows. */
  readonly frames: number
  /** Row by row `BANDS` values of loudness. */
  readonly loudness: Float32Array
  /** Sums over the rows before each row: of each band, and of all squares. */
  readonly sums: Float64Array
  readonly squares: Float64Array
}

/** Loudness of powers as `BandEnvelope` gives them, after taking away a steady noise. */
export function loudnessOf(powers: Float32Array, noise: Float32Array | null = null): Float32Array {
  return powers.map((power, band) => Math.max(0, power - (noise?.[band] ?? 0)) ** LOUDNESS_EXPONENT)
}

/** Made once per process and shared by all listeners. */
export function clipTemplates(clips: readonly KnownClip[]): ClipTemplate[] {
  return clips.flatMap((clip) => OFFSETS_MS.map((offsetMs) => templateOf(clip, offsetMs)))
}

function templateOf(clip: KnownClip, offsetMs: number): ClipTemplate {
  const lead = LEAD_FRAMES * FRAME_BYTES + offsetMs * SAMPLES_PER_MS
  /** The envelope looks back 32 ms, so the sound lasts into one frame after its end. */
  const audio = new Uint8Array(lead + clip.audio.length + FRAME_BYTES).fill(MULAW_SILENCE)
  audio.set(clip.audio, lead)
  const envelope = new BandEnvelope()
  const rows = framesOf(audio).map((frame) => loudnessOf(envelope.push(frame)))
  const loudness = new Float32Array(rows.length * BANDS)
  const sums = new Float64Array((rows.length + 1) * BANDS)
  const squares = new Float64Array(rows.length + 1)
  for (const [index, row] of rows.entries()) {
    loudness.set(row, index * BANDS)
    addRow({ row, index, sums, squares })
  }
  const durationMs = (clip.audio.length / FRAME_BYTES) * FRAME_MS
  return { clip, offsetMs, durationMs, frames: rows.length, loudness, sums, squares }
}

/** Extends running sums by one row. */
export function addRow(to: {
  readonly row: Float32Array
  readonly index: number
  readonly sums: Float64Array
  readonly squares: Float64Array
}): void {
  const { row, index, sums, squares } = to
  let square = squares[index]!
  for (let band = 0; band < BANDS; band++) {
    const value = row[band]!
    sums[(index + 1) * BANDS + band] = sums[index * BANDS + band]! + value
    square += value * value
  }
  squares[index + 1] = square
}
