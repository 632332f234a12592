import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { Timers } from '#shared/ports/clock.ts'
import type { Logger } from '#shared/ports/logger.ts'

import { orAborted } from './or-aborted.ts'

/** One of several ways to the same answer. */
export interface Candidate<T> {
  /** For the log. */
  readonly name: string
  start(signal: AbortSignal): AsyncIterable<T>
}

/** All in ms. */
export interface ChunkLimits {
  /** Longest wait of each candidate for something useful. */
  readonly firstMs: number
  /** Longest wait for what follows. */
  readonly nextMs: number
  /**
   * The next candidate is started beside the first one after so much time without anything useful
   * (a hedged request); null: only when one has failed.
   */
  readonly hedgeAfterMs: number | null
}

export interface FirstUsefulOptions<T> {
  /** In the order in which they are tried; at least one. */
  readonly candidates: readonly Candidate<T>[]
  readonly isUseful: (item: T) => boolean
  readonly limits: ChunkLimits
  readonly timers: Timers
  readonly logger: Logger
}

/**
 * The items of the candidate that is the first to give a useful one; the others are cancelled.
 * Throws the first candidate's error when all fail before that, the winner's when it fails later,
 * and the signal's reason when it is aborted.
 */
export async function* firstUseful<T>(
  options: FirstUsefulOptions<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  signal.throwIfAborted()
  const winner = await race(options, signal)
  try {
    yield* winner.items()
  } finally {
    winner.cancel()
  }
}

function race<T>(options: FirstUsefulOptions<T>, signal: AbortSignal): Promise<Attempt<T>> {
  const { candidates, limits, logger, timers } = options
  const { promise, resolve, reject } = Promise.withResolvers<Attempt<T>>()
  const running = new Set<Attempt<T>>()
  const errors = new Map<Candidate<T>, Error>()
  let started = 0
  let stopHedge: () => void = () => undefined
  let isDecided = false

  const decide = () => {
    isDecided = true
    stopHedge()
    for (const attempt of running) attempt.cancel()
  }
  const startNext = () => {
    const candidate = candidates[started++]
    if (candidate === undefined) return
    stopHedge()
    if (limits.hedgeAfterMs !== null) stopHedge = timers.after(limits.hedgeAfterMs, startNext)
    const attempt = new Attempt(candidate, options, signal)
    running.add(attempt)
    attempt.untilUseful().then(
      () => {
        running.delete(attempt)
        if (isDecided) return attempt.cancel()
        decide()
        resolve(attempt)
      },
      (error: unknown) => {
        running.delete(attempt)
        if (isDecided) return
        errors.set(candidate, error as Error)
        if (!signal.aborted) {
          logger.warn('a vendor failed before anything useful came of it', {
            vendor: candidate.name,
            error,
          })
          startNext()
          if (running.size > 0) return
        }
        decide()
        reject(signal.aborted ? (signal.reason as Error) : errors.get(candidates[0]!)!)
      },
    )
  }
  startNext()
  return promise
}

/** One candidate at work. */
class Attempt<T> {
  readonly #options: FirstUsefulOptions<T>
  readonly #cancellation = new AbortController()
  readonly #signal: AbortSignal
  readonly #iterator: AsyncIterator<T>
  readonly #early: T[] = []
  #isOver = false

  constructor(candidate: Candidate<T>, options: FirstUsefulOptions<T>, signal: AbortSignal) {
    this.#options = options
    this.#signal = AbortSignal.any([signal, this.#cancellation.signal])
    this.#iterator = candidate.start(this.#signal)[Symbol.asyncIterator]()
  }

  /** Resolves with the first useful item, or at the end; throws when it is not in time. */
  async untilUseful(): Promise<void> {
    const { isUseful, limits, timers } = this.#options
    const stopWaiting = timers.after(limits.firstMs, () => this.#giveUp())
    try {
      for (let item = await this.#next(); item !== null; item = await this.#next()) {
        this.#early.push(item.value)
        if (isUseful(item.value)) return
      }
    } finally {
      stopWaiting()
    }
  }

  async *items(): AsyncGenerator<T> {
    yield* this.#early.splice(0)
    for (;;) {
      const stopWaiting = this.#options.timers.after(this.#options.limits.nextMs, () =>
        this.#giveUp(),
      )
      const item = await this.#next().finally(stopWaiting)
      if (item === null) return
      yield item.value
    }
  }

  cancel(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#cancellation.abort()
    // Whoever does not look at the signal ends with this; of its last words nobody wants to know.
    void this.#iterator.return?.().catch(() => undefined)
  }

  async #next(): Promise<{ readonly value: T } | null> {
    if (this.#isOver) return null
    const result = await orAborted(this.#iterator.next(), this.#signal)
    if (result.done !== true) return { value: result.value }
    this.#isOver = true
    return null
  }

  #giveUp(): void {
    this.#cancellation.abort(new AdapterError('a vendor was silent', { retryable: true }))
  }
}
