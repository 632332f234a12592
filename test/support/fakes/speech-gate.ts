import type { Timers } from '#shared/ports/clock.ts'

import type { FakePace } from './fake-mouth.ts'

/** Lets a test say how far a fake has spoken; open unless it is told otherwise. */
export class SpeechGate implements Timers {
  readonly pace: FakePace = { timers: this, firstMs: 0, chunkMs: 0 }
  readonly #waiting: (() => void)[] = []
  #allowed = Infinity

  /** So many more steps, then no more. */
  allow(steps: number): void {
    this.#allowed = steps
  }

  /** Goes on, without an end. */
  open(): void {
    this.#allowed = Infinity
    for (const run of this.#waiting.splice(0)) setImmediate(run)
  }

  after(_delayMs: number, run: () => void): () => void {
    if (this.#allowed > 0) {
      this.#allowed -= 1
      const immediate = setImmediate(run)
      return () => clearImmediate(immediate)
    }
    this.#waiting.push(run)
    return () => {
      const index = this.#waiting.indexOf(run)
      if (index >= 0) this.#waiting.splice(index, 1)
    }
  }
}
