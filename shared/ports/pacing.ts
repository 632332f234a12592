/** Calls per second on a trunk (reference/aws.md 2.5, GCRA). */
export interface Pacing {
  /** Takes as many of `count` as there are; `until` (epoch ms) is when the next one can be taken. */
  take(
    request: PaceRequest & { readonly now: number },
  ): Promise<{ readonly taken: number; readonly until: number }>
  /** What was taken and not used after all. */
  giveBack(request: PaceRequest): Promise<void>
}

export interface PaceRequest {
  readonly trunk: string
  readonly perSecond: number
  /** So many may be taken at once after a rest. */
  readonly burst: number
  readonly count: number
}
