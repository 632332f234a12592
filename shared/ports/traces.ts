/** Where the time of calls goes, for whoever watches the service (OpenTelemetry). */
export interface Traces {
  /** Takes a whole call at its end; never throws, and nobody waits for it. */
  export(trace: CallTrace): void
}

export interface CallTrace {
  readonly orderId: string
  readonly number: number
  /** Epoch ms of the media session's start. */
  readonly startedAt: number
  /** The first one is the call; the others name their parent by its place in here. */
  readonly spans: readonly Span[]
}

/** Times are ms since the media session began. Nothing in it is what somebody said. */
export interface Span {
  readonly name: string
  readonly parent: number | null
  readonly startAtMs: number
  readonly endAtMs: number
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  readonly events: readonly { readonly name: string; readonly atMs: number }[]
  readonly isError: boolean
}
