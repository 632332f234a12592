/** Calls per second on a trunk (reference/aws.md 2.5, GCRA). */
export interface Pacing {
  take(request: {
    readonly trunk: string
    readonly perSecond: number
    readonly burst: number
    readonly now: number
  }): Promise<{ kind: 'taken' } | { kind: 'wait'; until: number }>
}
