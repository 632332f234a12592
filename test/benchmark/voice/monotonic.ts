import { monotonicClock } from '#shared/adapters/local/monotonic-clock.ts'

const clock = monotonicClock()

/** Ms, the same in every process of the machine. */
export const now = (): number => clock.now()

/** Calls `run` every `everyMs` at the pace of the clock, late ones one after the other. */
export function beat(everyMs: number, run: () => void): () => void {
  let dueAt = now() + everyMs
  let timer = setTimeout(tick, everyMs)
  function tick(): void {
    for (; dueAt <= now(); dueAt += everyMs) run()
    timer = setTimeout(tick, Math.max(1, dueAt - now()))
  }
  return () => clearTimeout(timer)
}
