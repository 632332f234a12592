import type { Clock, Timers } from '#shared/ports/clock.ts'

/**
 * The clock of the local stack: time runs `speed` times as fast as it really passes, and can be
 * advanced. Its timers measure only the time that passes by itself: an advance brings the next
 * morning, and does not make a running call's pauses end.
 */
export interface TestClock extends Clock, Timers {
  /** Moves `now` forward by so many ms. */
  advance(ms: number): void
}

/** `start` is epoch ms; `elapsedMs` counts real time from any moment; `timers` wait in real time. */
export function testClock(options: {
  readonly start: number
  readonly speed: number
  readonly elapsedMs: () => number
  readonly timers: Timers
}): TestClock {
  const { start, speed, elapsedMs, timers } = options
  const zero = elapsedMs()
  let offset = 0
  return {
    now: () => Math.floor(start + (elapsedMs() - zero) * speed + offset),
    after: (delayMs, run) => timers.after(delayMs / speed, run),
    advance(ms) {
      if (!(ms >= 0)) throw new RangeError('a clock is advanced by a positive time')
      offset += ms
    },
  }
}
