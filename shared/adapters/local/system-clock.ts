import type { Clock } from '#shared/ports/clock.ts'

/** The machine's own time. */
export const systemClock: Clock = { now: () => Date.now() }
