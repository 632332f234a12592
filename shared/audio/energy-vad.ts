/** Speech or not by loudness over a tracked noise floor: no model, so only for want of a better one. */

/** A step of more than this over the floor, in dB, is as likely speech as not. */
const EVEN_CHANCE_DB = 8
const DB_PER_LOGIT = 1.5
/** Quieter than this (dB of full scale) is never speech. */
const QUIETEST_DB = -50
/** Windows from which the first floor is taken. */
const SETTLING = 6
/** dB per window: the floor falls fast, rises slowly, and hardly at all while somebody speaks. */
const RISE_IN_SPEECH = 0.008
const RISE = 0.08
const FALL = 0.4
const PRE_EMPHASIS = 0.95

/** Under 1 us per window. */
export class EnergyVad {
  #floorDb = Infinity
  #windows = 0
  #previous = 0

  /** Probability of speech, 0..1, in the next window of 20 to 32 ms at 8 kHz. */
  push(pcm: Int16Array): number {
    const db = this.#level(pcm)
    if (this.#windows++ < SETTLING) this.#floorDb = Math.min(this.#floorDb, db)
    const over = db - this.#floorDb
    const probability =
      db < QUIETEST_DB ? 0 : 1 / (1 + Math.exp((EVEN_CHANCE_DB - over) / DB_PER_LOGIT))
    if (over < 0) this.#floorDb += over * FALL
    else this.#floorDb += probability > 0.5 ? RISE_IN_SPEECH : RISE * Math.min(1, over)
    return probability
  }

  /** dB of full scale, low frequencies (hum) taken out. */
  #level(pcm: Int16Array): number {
    let energy = 0
    for (const sample of pcm) {
      energy += (sample - PRE_EMPHASIS * this.#previous) ** 2
      this.#previous = sample
    }
    return 10 * Math.log10(energy / pcm.length / 32_768 ** 2 + 1e-9)
  }
}
