import type { Clock } from '#shared/ports/clock.ts'

const NANOSECONDS_PER_MS = 1e6

/** Ms since the machine began, the same in every thread; never set, and `speed` times as fast as time. */
export function monotonicClock(speed = 1): Clock {
  return { now: () => (Number(process.hrtime.bigint()) / NANOSECONDS_PER_MS) * speed }
}
