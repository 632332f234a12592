/** How a permit is taken from one shard of a cap: decided on the shard as it was last seen. */

/** Holder to epoch ms: the lease holds before that moment. Dead ones stay until they are replaced. */
export type Leases = Readonly<Record<string, number>>

export type Take =
  /** The shard was never used. */
  | { readonly kind: 'create' }
  /** There is room, or the holder has a place already. */
  | { readonly kind: 'add' }
  /** Puts the holder in the place of dead ones; of more than one where the cap was lowered. */
  | { readonly kind: 'replace'; readonly dead: readonly (readonly [string, number])[] }
  | { readonly kind: 'full' }

/**
 * `chance`, uniform in [0, 1), spreads those who come at the same time over the dead leases.
 * Afterwards the shard never has more than `cap` leases, dead ones included.
 */
export function planTake(
  leases: Leases | undefined,
  wish: {
    readonly holder: string
    readonly cap: number
    readonly now: number
    readonly chance: number
  },
): Take {
  if (leases === undefined) return { kind: 'create' }
  const size = Object.keys(leases).length
  if (Object.hasOwn(leases, wish.holder) || size < wish.cap) return { kind: 'add' }
  const dead = Object.entries(leases).filter(([, until]) => until <= wish.now)
  const needed = size - wish.cap + 1
  if (dead.length < needed) return { kind: 'full' }
  const first = Math.floor(wish.chance * dead.length)
  return { kind: 'replace', dead: [...dead.slice(first), ...dead.slice(0, first)].slice(0, needed) }
}

export function countLive(leases: Leases, now: number): number {
  return Object.values(leases).filter((until) => until > now).length
}
