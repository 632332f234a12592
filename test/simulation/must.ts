/**
 * The rules that nothing may ever break, by the numbers of the architecture (section 7); the last
 * three go beyond it.
 */
export const INVARIANTS = {
  1: 'no dial outside the recipient’s window and days',
  2: 'one live attempt per order, one dial per attempt, one ringing call per recipient',
  3: 'attempts never exceed the limit',
  4: 'permits never exceed their cap, and are returned',
  5: 'nothing is dialled after a cancel is acknowledged',
  6: 'every unfinished order has a future wake-up',
  7: 'every live attempt has an expiring lease',
  8: 'final states are final',
  9: 'one webhook id per finished order, delivered at least once',
  10: 'campaign counters equal the rows',
  11: 'nothing is visible to another organization',
  12: 'a suppressed number is never dialled',
  13: 'what rings at the carrier belongs to a live attempt',
  14: 'a retry keeps its delay',
  15: 'what may be called at once is called at once',
} as const

export type Invariant = keyof typeof INVARIANTS

export function must(condition: boolean, invariant: Invariant, what: string): asserts condition {
  if (!condition) {
    throw new Error(`Invariant ${invariant} (${INVARIANTS[invariant]}) is broken: ${what}`)
  }
}
