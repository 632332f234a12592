import type { Clock, Timers } from '#shared/ports/clock.ts'

const SLOTS = 4
const SLOT_MS = 5
const ROUND_MS = SLOTS * SLOT_MS
/** Less than what a peer keeps ready, so that it is never heard to stop. */
const MADE_UP_AT_ONCE_MS = 200

/** One heartbeat for the pacing of every call of the process. */
export interface Ticker {
  /** Calls `run` every 20 ms until the returned function is called. */
  join(run: () => void): () => void
}

/**
 * Calls are spread over four slots of 5 ms, so that they never send all at once; and one timer paces
 * them all, because a timer per call drifts (reference/media-spikes.md 2.1). The beat follows the
 * clock: late ones are made up for, `makesUpMs` of them at most and not all at once. Without
 * members there is no timer at all.
 */
export function startTicker({
  clock,
  timers,
  makesUpMs = ROUND_MS,
  onBeat = () => undefined,
}: {
  readonly clock: Clock
  readonly timers: Timers
  readonly makesUpMs?: number
  /** How late each beat was, and for how many members. */
  readonly onBeat?: (lateMs: number, members: number) => void
}): Ticker {
  const slots = Array.from({ length: SLOTS }, () => new Set<() => void>())
  let slot = 0
  let dueAt = 0
  let isRunning = false

  const isEmpty = () => slots.every((members) => members.size === 0)

  const report = (lateMs: number) => {
    const members = slots[slot]!.size
    if (members > 0) onBeat(lateMs, members)
  }

  const wait = () => {
    timers.after(Math.max(1, dueAt - clock.now()), beat)
  }

  const beat = () => {
    if (isEmpty()) {
      isRunning = false
      return
    }
    const now = clock.now()
    for (; dueAt < now - makesUpMs + SLOT_MS; dueAt += SLOT_MS) report(now - dueAt)
    // Between two beats what has arrived meanwhile is read.
    const until = Math.min(now + 1, dueAt + MADE_UP_AT_ONCE_MS)
    for (; dueAt < until; dueAt += SLOT_MS) {
      report(now - dueAt)
      for (const run of slots[slot]!) run()
      slot = (slot + 1) % SLOTS
    }
    wait()
  }

  return {
    join(run) {
      const quietest = slots.reduce((least, members) =>
        members.size < least.size ? members : least,
      )
      // A member of its own, so that joining twice with the same function means two members.
      const member = () => run()
      quietest.add(member)
      if (!isRunning) {
        isRunning = true
        dueAt = clock.now() + SLOT_MS
        wait()
      }
      return () => quietest.delete(member)
    },
  }
}
