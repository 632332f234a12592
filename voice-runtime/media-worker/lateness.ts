const BUCKET_MS = 0.5
const BUCKETS = 400

/** How late frames were: counts by half milliseconds, up to 200 ms. */
export class Lateness {
  #counts = new Uint32Array(BUCKETS)
  #frames = 0
  #maxMs = 0

  note(lateMs: number, frames: number): void {
    const bucket = Math.min(BUCKETS - 1, Math.max(0, Math.floor(lateMs / BUCKET_MS)))
    this.#counts[bucket]! += frames
    this.#frames += frames
    this.#maxMs = Math.max(this.#maxMs, lateMs)
  }

  /** Since it was last taken. */
  take(): LatenessSummary {
    const summary = { frames: this.#frames, p99Ms: this.#percentile(0.99), maxMs: this.#maxMs }
    this.#counts = new Uint32Array(BUCKETS)
    this.#frames = 0
    this.#maxMs = 0
    return summary
  }

  #percentile(share: number): number {
    let left = this.#frames * share
    for (const [bucket, count] of this.#counts.entries()) {
      left -= count
      if (left <= 0 && count > 0) return (bucket + 1) * BUCKET_MS
    }
    return 0
  }
}

export interface LatenessSummary {
  readonly frames: number
  readonly p99Ms: number
  readonly maxMs: number
}
