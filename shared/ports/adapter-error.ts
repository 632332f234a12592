/**
 * A vendor or a network did not do what was asked. `retryable` says whether asking again may help;
 * the shell that called decides between retry, fallback and dead letter.
 */
export class AdapterError extends Error {
  readonly retryable: boolean
  readonly status: number | null
  /** Seconds the vendor asked to wait. */
  readonly retryAfterSecs: number | null

  constructor(
    message: string,
    options: {
      readonly retryable: boolean
      readonly status?: number | null
      readonly retryAfterSecs?: number | null
      readonly cause?: unknown
    },
  ) {
    super(message, { cause: options.cause })
    this.name = 'AdapterError'
    this.retryable = options.retryable
    this.status = options.status ?? null
    this.retryAfterSecs = options.retryAfterSecs ?? null
  }
}
