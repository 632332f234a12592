import { BANDS } from './band-envelope.ts'

/** Steady noise is what stays in a band over this many frames: 0.8 s. */
const MEMORY_FRAMES = 40
/** The least of many noisy frames lies this far under their mean. */
const BIAS_DB = 2
/** Quieter than this in a band is silence. */
const QUIET_DB = -65
/** Frames until the window of the spectrum and the smoothing are full: before, noise looks like less. */
const FILLING_FRAMES = 3
/** A band counts for at most this much, all of them together need that much. */
const MOST_PER_BAND_DB = 20
const SPEECH_DB = 24

/** Tells sound from steady noise, band by band, so that speech is heard at 10 dB over its noise. */
export class SpeechActivity {
  readonly #memory = new Float32Array(MEMORY_FRAMES * BANDS)
  #frames = 0
  #last: Float32Array = new Float32Array(BANDS)

  /** Takes the band powers of the next frame. */
  push(powers: Float32Array): boolean {
    const past = this.#frames++ - FILLING_FRAMES
    const slot = (Math.max(0, past) % MEMORY_FRAMES) * BANDS
    const known = Math.max(1, Math.min(past + 1, MEMORY_FRAMES)) * BANDS
    let excess = 0
    for (let band = 0; band < BANDS; band++) {
      const smooth = (powers[band]! + this.#last[band]!) / 2
      const db = Math.max(QUIET_DB, 10 * Math.log10(smooth + 1e-12))
      this.#memory[slot + band] = db
      let floor = db
      for (let at = band; at < known; at += BANDS) floor = Math.min(floor, this.#memory[at]!)
      excess += Math.max(0, Math.min(MOST_PER_BAND_DB, db - floor - BIAS_DB))
    }
    this.#last = powers
    return excess > SPEECH_DB
  }
}
