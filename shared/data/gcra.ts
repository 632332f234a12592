/** The generic cell rate algorithm: an even pace that may be run ahead of by a burst. */

export interface Pace {
  readonly perSecond: number
  readonly burst: number
}

export interface Taken {
  /** How many of those wanted. */
  readonly taken: number
  /** The moment (epoch ms) up to which the even pace is used up then. */
  readonly usedUpTo: number
  /** When the next one may be taken. */
  readonly until: number
}

/** Takes at `now`, where the even pace is used up to some moment; null: nothing was taken yet. */
export function takePaced(
  usedUpTo: number | null,
  wish: Pace & { readonly count: number; readonly now: number },
): Taken {
  const intervalMs = intervalOf(wish)
  const headStartMs = intervalMs * (wish.burst - 1)
  const from = Math.max(usedUpTo ?? wish.now, wish.now)
  const free = Math.floor((wish.now + headStartMs - from) / intervalMs) + 1
  const taken = Math.max(0, Math.min(wish.count, free))
  const next = from + taken * intervalMs
  return { taken, usedUpTo: next, until: Math.max(wish.now, next - headStartMs) }
}

/** From one to the next at an even pace, in whole ms, rounded so that the pace is never exceeded. */
export function intervalOf({ perSecond }: Pick<Pace, 'perSecond'>): number {
  return Math.ceil(1000 / perSecond)
}
