import { Prng } from './prng.ts'

interface Happening {
  readonly at: number
  /** Breaks ties: first asked, first served. */
  readonly order: number
  readonly run: () => void
}

/** A running piece of the service: a Lambda invocation, a runtime, a media session. */
export interface Process {
  readonly name: string
  isAlive: boolean
}

/**
 * Virtual time in which production code runs. Only one thing happens at a moment, in an order that
 * follows from the seed; everything that the code awaits is a moment of this world.
 */
export class World {
  readonly random: Prng
  readonly log: string[] = []
  #now: number
  #asked = 0
  #steps = 0
  readonly #happenings: Happening[] = []
  /** Checked after every step; throws when something is wrong that must never be. */
  afterStep: () => Promise<void> = async () => {}

  constructor(seed: number, startAt: number) {
    this.random = new Prng(seed)
    this.#now = startAt
  }

  get now(): number {
    return this.#now
  }

  get steps(): number {
    return this.#steps
  }

  note(text: string): void {
    this.log.push(`${new Date(this.#now).toISOString()} ${text}`)
  }

  in(delayMs: number, run: () => void): void {
    this.#asked += 1
    const happening = { at: this.#now + Math.max(0, delayMs), order: this.#asked, run }
    let low = 0
    let high = this.#happenings.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = this.#happenings[middle]
      if (other !== undefined && isBefore(other, happening)) low = middle + 1
      else high = middle
    }
    this.#happenings.splice(low, 0, happening)
  }

  /** Time passes for a process. A process that died meanwhile never goes on. */
  async pass(process: Process, delayMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.in(delayMs, () => {
        if (process.isAlive) resolve()
      })
    })
  }

  /** Lets happen what happens until `until`, or until nothing is left. */
  async run(until: number): Promise<void> {
    for (;;) {
      const next = this.#happenings[0]
      if (next === undefined || next.at > until) break
      this.#happenings.shift()
      this.#now = next.at
      next.run()
      // Whatever the step set going runs to its next wait before the next step.
      await new Promise((resolve) => setImmediate(resolve))
      this.#steps += 1
      await this.afterStep()
    }
    this.#now = Math.max(this.#now, until)
  }
}

function isBefore(a: Happening, b: Happening): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}
