/** The generic cell rate algorithm: an even pace that may be run ahead of by a burst. */

export interface Pace {
  readonly perSecond: number
  readonly burst: number
}

/** Whole ms, rounded so that the pace is never exceeded. */
export function paceOf(pace: Pace): {
  /** From one to the next at an even pace. */
  readonly intervalMs: number
  /** How far ahead of the even pace one may be. */
  readonly headStartMs: number
} {
  const intervalMs = Math.ceil(1000 / pace.perSecond)
  return { intervalMs, headStartMs: intervalMs * (pace.burst - 1) }
}

/** When the next may be taken, given the moment up to which the even pace is used up. */
export function paceWait(usedUpTo: number, pace: Pace): number {
  return usedUpTo - paceOf(pace).headStartMs
}
