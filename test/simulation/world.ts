import { setImmediate } from 'node:timers/promises'

import type { Prng } from './prng.ts'

/** Something that will happen; it may be called off until then. */
export interface Happening {
  readonly at: number
  /** Breaks ties: first asked, first served. */
  readonly order: number
  readonly run: () => void
  isOff: boolean
}

/** So often the machine on which all this runs gets its turn. */
const STEPS_PER_TURN = 4_096

/**
 * Virtual time in which production code runs. Only one thing happens at a moment, in an order that
 * follows from the seed; everything that the code awaits is a moment of this world.
 */
export class World {
  readonly random: Prng
  /** When something was last made to go wrong: a rule that gives time counts from here. */
  lastFaultAt = -Infinity
  readonly #log: { readonly at: number; readonly text: string }[] | null
  readonly #happenings = new Queue()
  #now: number
  #asked = 0
  #steps = 0
  /** Checked after every step; throws when something is wrong that must never be. */
  afterStep: () => Promise<void> | void = () => {}

  constructor(random: Prng, startAt: number, options: { readonly keepsLog: boolean }) {
    this.random = random
    this.#now = startAt
    this.#log = options.keepsLog ? [] : null
  }

  get now(): number {
    return this.#now
  }

  get steps(): number {
    return this.#steps
  }

  get log(): string[] {
    return (this.#log ?? []).map(({ at, text }) => `${new Date(at).toISOString()} ${text}`)
  }

  note(text: string): void {
    this.#log?.push({ at: this.#now, text })
  }

  /** Whether something goes wrong now. */
  faults(probability: number): boolean {
    const isFault = probability > 0 && this.random.chance(probability)
    if (isFault) this.lastFaultAt = this.#now
    return isFault
  }

  in(delayMs: number, run: () => void): Happening {
    this.#asked += 1
    const at = this.#now + Math.max(0, delayMs)
    const happening = { at, order: this.#asked, run, isOff: false }
    this.#happenings.push(happening)
    return happening
  }

  /** Lets happen what happens until `until`, or until nothing is left. */
  async run(until: number): Promise<void> {
    for (;;) {
      const next = this.#happenings.first
      if (next === undefined || next.at > until) break
      this.#happenings.shift()
      if (next.isOff) continue
      this.#now = next.at
      next.run()
      await settled()
      this.#steps += 1
      if (this.#steps % STEPS_PER_TURN === 0) await setImmediate()
      await this.afterStep()
    }
    this.#now = Math.max(this.#now, until)
  }
}

/** Resolves when whatever a step set going has come to its next wait. */
function settled(): Promise<void> {
  // Node looks at this queue again when no promise is left that could go on.
  return new Promise((resolve) => process.nextTick(resolve))
}

/** A binary heap, the earliest on top. */
class Queue {
  readonly #heap: Happening[] = []

  get first(): Happening | undefined {
    return this.#heap[0]
  }

  push(happening: Happening): void {
    const heap = this.#heap
    let at = heap.length
    for (; at > 0; at = (at - 1) >>> 1) {
      const parent = heap[(at - 1) >>> 1]
      if (parent === undefined || isBefore(parent, happening)) break
      heap[at] = parent
    }
    heap[at] = happening
  }

  shift(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let at = 0
    for (;;) {
      const left = heap[2 * at + 1]
      const right = heap[2 * at + 2]
      if (left === undefined) break
      const isRight = right !== undefined && isBefore(right, left)
      const child = isRight ? right : left
      if (isBefore(last, child)) break
      heap[at] = child
      at = 2 * at + (isRight ? 2 : 1)
    }
    heap[at] = last
  }
}

function isBefore(a: Happening, b: Happening): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}
