import type { TestClock } from '#shared/adapters/local/test-clock.ts'
import { SWEEP_INTERVAL_MS } from '#shared/domain/lease.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'
import { sweep } from '#shared/use-cases/sweep.ts'

import { walkClock } from './clock-walk.ts'

const WAKES_EVERY_MS = 100

/** Whatever is planned for moments of the test clock; both in epoch ms. */
export interface Timetable {
  nextAt(): number | null
  takeDue(now: number): Promise<unknown>
}

export interface ClockWork {
  /** Puts the clock forward to a moment, through everything that falls due on the way. */
  walkTo(until: number): Promise<void>
  stop(): Promise<void>
}

/** Plays the scheduler's part: wake-ups when they are due, and a sweep every now and then. */
export function startClockWork(options: {
  readonly clock: TestClock
  readonly speed: number
  readonly ports: ServicePorts
  /** What happens at moments of its own: the scheduler's wake-ups, and people who call. */
  readonly timetables: readonly Timetable[]
  readonly messagesLeft: () => number
  readonly hasRuntime: () => boolean
  /** The clock was put forward. */
  readonly onAdvance: () => void
}): ClockWork {
  const { clock, ports, timetables } = options
  const fireWakes = async () => {
    for (const timetable of timetables) await timetable.takeDue(clock.now())
  }
  const stops = [
    every(WAKES_EVERY_MS, fireWakes),
    every(SWEEP_INTERVAL_MS / options.speed, () => sweep(ports)),
  ]
  const walkPorts = {
    clock: {
      now: () => clock.now(),
      advance: (ms: number) => {
        clock.advance(ms)
        options.onAdvance()
      },
    },
    calls: ports.calls,
    webhooks: ports.webhooks,
    messagesLeft: options.messagesLeft,
    hasRuntime: options.hasRuntime,
    nextWakeAt: () => {
      const moments = timetables.map((timetable) => timetable.nextAt())
      const planned = moments.filter((moment) => moment !== null)
      return planned.length === 0 ? null : Math.min(...planned)
    },
    fireWakes,
    sweep: () => sweep(ports),
  }
  let last = Promise.resolve()
  return {
    walkTo: (until) => {
      const walk = last.then(() => walkClock(walkPorts, until))
      last = walk.catch(() => {})
      return walk
    },
    stop: async () => {
      for (const stop of stops) await stop()
    },
  }
}

/** Repeats `run` until it is stopped, each time after the one before has ended. */
function every(delayMs: number, run: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(run).catch(() => {})
  }, delayMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}
