/**
 * Which wake-ups of a scope are on their way, so that many who ask for the same one send one message
 * (reference/aws.md 2.7). Each claim is won by one; whoever wins sends it.
 */
export interface Wakes {
  /** A wake-up now; won when none is on its way, or the last one seems lost. */
  claimNow(scope: string, now: number): Promise<boolean>
  /**
   * One at `at`; won when none is due before that. All in epoch ms. The same moment is won again once
   * more time has passed than is left: the scheduler is up to a minute early and clocks differ, so
   * that a wake-up may have come to somebody for whom it is too soon.
   */
  claimAt(scope: string, at: number, now: number): Promise<boolean>
  /** The wake-up has come: who asks from here on is not heard by it. */
  clearNow(scope: string): Promise<void>
}

/** A wake-up that was asked for so long ago and has not come is lost. */
export const WAKE_LOST_MS = 60_000
