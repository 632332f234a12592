import type { Clock, Timers } from '#shared/ports/clock.ts'

interface Timer {
  readonly atMs: number
  readonly run: () => void
}

/** A clock that moves when a test says so, and timers that go by it. */
export class ManualTime implements Clock, Timers {
  #now = 0
  readonly #timers = new Set<Timer>()

  now(): number {
    return this.#now
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { atMs: this.#now + Math.max(0, delayMs), run }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** How many timers wait. */
  get waiting(): number {
    return this.#timers.size
  }

  /** Lets so much time pass, everything in its order; promises settle in between. */
  async pass(ms: number): Promise<void> {
    const until = this.#now + ms
    await settle()
    for (let next = this.#next(until); next !== null; next = this.#next(until)) {
      this.#now = Math.max(this.#now, next.atMs)
      this.#timers.delete(next)
      next.run()
      await settle()
    }
    this.#now = until
  }

  /** Lets time pass until it is so, in steps of 20 ms; throws when it is not within `maxMs`. */
  async passUntil(isSo: () => boolean, maxMs = 60_000): Promise<void> {
    const until = this.#now + maxMs
    await settle()
    while (!isSo()) {
      if (this.#now >= until) throw new Error(`it did not happen within ${maxMs} ms`)
      await this.pass(20)
    }
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

  #next(until: number): Timer | null {
    let next: Timer | null = null
    for (const timer of this.#timers) {
      if (timer.atMs <= until && (next === null || timer.atMs < next.atMs)) next = timer
    }
    return next
  }
}

/** Lets every promise that can settle do so. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
}
