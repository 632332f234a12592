import type { Timers } from '#shared/ports/clock.ts'

/** Beyond this Node fires at once; nobody waits 24 days for a call. */
const LONGEST_MS = 2 ** 31 - 1

/** Real time. A timer that still runs does not keep the process alive. */
export const systemTimers: Timers = {
  after(delayMs, run) {
    const timer = setTimeout(run, Math.min(delayMs, LONGEST_MS))
    timer.unref()
    return () => clearTimeout(timer)
  },
}
