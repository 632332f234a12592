import type { Share, Turns } from '#shared/domain/turns.ts'

/** Who waits at which full permit, and what each party got; see `turns.ts`. All in epoch ms. */
export interface TurnStore {
  find(permit: string): Promise<Turns>
  /** Notes that a scope has found the permit full. It waits since it first did, or was last served. */
  wait(
    permit: string,
    waiter: { scope: string; party: string; isServed: boolean; now: number },
  ): Promise<void>
  /** The scope does not wait there any more; harmless when it did not. */
  leave(permit: string, scope: string): Promise<void>
  /** Sets with what share a party begins. */
  begin(permit: string, share: Share): Promise<void>
  /** Adds calls to a party's share. */
  serve(permit: string, party: string, served: { calls: number; now: number }): Promise<void>
}
