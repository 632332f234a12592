/**
 * Whose turn it is at a full permit (reference/aws.md 2.7). Scopes that found it full wait there in
 * parties: at a trunk the organizations, elsewhere each scope by itself. Who comes new goes first for
 * a while, so that few calls need not wait behind very many; then the party that was served longest
 * ago goes first.
 */

/** Times are epoch ms. */
export interface Waiter {
  readonly scope: string
  readonly party: string
  readonly since: number
  /** When it last found the permit full. */
  readonly seenAt: number
}

/** What a party has got while others waited too. */
export interface Share {
  readonly party: string
  readonly calls: number
  readonly lastAt: number
}

export interface Turns {
  readonly waiters: readonly Waiter[]
  readonly shares: readonly Share[]
}

/** The sweep lets whoever waits look every 20 s; one that was not seen for longer waits no more. */
const WAITER_LIVES_MS = 60_000

/** A party that was neither seen nor served for so long comes new. */
const SHARE_LIVES_MS = 600_000

/** So many calls of a party that comes new go before those of the others. */
export const FIRST_CALLS = 100

/** Who has calls going on when others come has had its first ones: so many rounds of them. */
const ROUNDS_BEFORE = 10

/** The share with which a party begins that has so many calls going on. */
export function firstShare(party: string, liveCalls: number, now: number): Share {
  return { party, calls: Math.min(FIRST_CALLS, liveCalls * ROUNDS_BEFORE), lastAt: now }
}

/** Null when the party comes new. */
export function shareOf({ shares }: Turns, party: string, now: number): Share | null {
  const share = shares.find((one) => one.party === party)
  return share === undefined || share.lastAt <= now - SHARE_LIVES_MS ? null : share
}

/** The waiter that goes first; null when nobody waits. */
export function nextTurn(turns: Turns, now: number): Waiter | null {
  const waiting = turns.waiters.filter(({ seenAt }) => seenAt > now - WAITER_LIVES_MS)
  return waiting.toSorted((one, other) => compareWaiters(turns, one, other, now))[0] ?? null
}

/** Whether a party may be served now: nobody of another party goes before it. */
export function mayGo(turns: Turns, party: string, now: number): boolean {
  const next = nextTurn(turns, now)
  if (next === null || next.party === party) return true
  return compareParties(turns, party, next.party, now) < 0
}

function compareWaiters(turns: Turns, one: Waiter, other: Waiter, now: number): number {
  return (
    compareParties(turns, one.party, other.party, now) ||
    one.since - other.since ||
    (one.scope < other.scope ? -1 : 1)
  )
}

/** Negative when the first party goes before the second. */
function compareParties(turns: Turns, one: string, other: string, now: number): number {
  if (one === other) return 0
  const [a, b] = [shareOf(turns, one, now), shareOf(turns, other, now)]
  const isNew = (share: Share | null) => (share?.calls ?? 0) < FIRST_CALLS
  if (isNew(a) !== isNew(b)) return isNew(a) ? -1 : 1
  return (a?.lastAt ?? 0) - (b?.lastAt ?? 0) || (one < other ? -1 : 1)
}
