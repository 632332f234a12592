import type { Clock, Timers } from '#shared/ports/clock.ts'

/** Time that stands still until a test moves it. */
export interface VirtualTime {
  readonly clock: Clock
  readonly timers: Timers
  every20ms(run: () => void): () => void
  /** Fires everything that falls due on the way, in order. */
  advance(ms: number): void
  /** Resolves when the next timer is set. */
  nextTimer(): Promise<void>
}

export const START = Date.UTC(2026, 0, 31, 9)

export function virtualTime(): VirtualTime {
  let now = START
  let waiting: { readonly at: number; readonly run: () => void }[] = []
  let onTimer: (() => void)[] = []

  const after: Timers['after'] = (delayMs, run) => {
    const timer = { at: now + delayMs, run }
    waiting.push(timer)
    for (const tell of onTimer.splice(0)) tell()
    return () => {
      waiting = waiting.filter((other) => other !== timer)
    }
  }
  const advance = (ms: number) => {
    const until = now + ms
    for (;;) {
      const [next] = waiting.toSorted((a, b) => a.at - b.at)
      if (next === undefined || next.at > until) break
      waiting = waiting.filter((other) => other !== next)
      now = next.at
      next.run()
    }
    now = until
  }
  const every20ms = (run: () => void) => {
    let cancel = () => {}
    const beat = () => {
      cancel = after(20, beat)
      run()
    }
    cancel = after(20, beat)
    return () => cancel()
  }
  return {
    clock: { now: () => now },
    timers: { after },
    every20ms,
    advance,
    nextTimer: () => new Promise((resolve) => onTimer.push(resolve)),
  }
}
