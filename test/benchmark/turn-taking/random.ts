/** Numbers that are the same in every run (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** 0 to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least)
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.next() * from.length)]!
  }

  /** Many small influences multiplied: most lengths of pauses and delays are spread like this. */
  logNormal(median: number, sigma: number): number {
    const gauss = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next())
    return median * Math.exp(sigma * gauss)
  }
}
