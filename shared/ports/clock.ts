/** The service's idea of now. Epoch ms. On one machine it is the test clock; on AWS the system's. */
export interface Clock {
  now(): number
}

/** Waiting, for code that lives as long as a call. Delays are ms of the same clock. */
export interface Timers {
  /** Calls `run` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, run: () => void): () => void
}
