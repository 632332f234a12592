import type { Timers } from '#shared/ports/clock.ts'

/** Timers that fire when a test says so. */
export interface ManualTimers extends Timers {
  /** Delays of the timers that wait, in the order they were set. */
  waiting(): readonly number[]
  /** Fires the first waiting timer of this delay; throws when there is none. */
  fire(delayMs: number): void
  /** Resolves when a timer of this delay waits. */
  set(delayMs: number): Promise<void>
}

export function manualTimers(): ManualTimers {
  const waiting: { readonly delayMs: number; readonly run: () => void }[] = []
  const drop = (timer: (typeof waiting)[number]) => {
    const index = waiting.indexOf(timer)
    if (index >= 0) waiting.splice(index, 1)
  }
  const expected: { readonly delayMs: number; readonly resolve: () => void }[] = []
  return {
    after(delayMs, run) {
      const timer = { delayMs, run }
      waiting.push(timer)
      for (const wish of expected) if (wish.delayMs === delayMs) wish.resolve()
      return () => drop(timer)
    },
    waiting: () => waiting.map((timer) => timer.delayMs),
    set(delayMs) {
      if (waiting.some((timer) => timer.delayMs === delayMs)) return Promise.resolve()
      return new Promise((resolve) => expected.push({ delayMs, resolve }))
    },
    fire(delayMs) {
      const timer = waiting.find((timer) => timer.delayMs === delayMs)
      if (timer === undefined) throw new Error(`no timer waits for ${delayMs} ms`)
      drop(timer)
      timer.run()
    },
  }
}
