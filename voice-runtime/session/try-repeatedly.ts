import type { Timers } from '#shared/ports/clock.ts'

/** Runs it until it succeeds, waiting as given in between; rejects with the last error. */
export async function tryRepeatedly<T>(
  deps: { readonly timers: Timers },
  againAfterMs: readonly number[],
  run: () => Promise<T>,
): Promise<T> {
  for (const waitMs of againAfterMs) {
    try {
      return await run()
    } catch {
      await new Promise<void>((resolve) => deps.timers.after(waitMs, resolve))
    }
  }
  return run()
}
