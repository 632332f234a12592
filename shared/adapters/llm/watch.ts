import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { Timers } from '#shared/ports/clock.ts'

/** Time limits on one request; only waiting for the server counts as its silence. */
export interface Watch {
  /** Aborts when the caller does or a limit is passed. */
  readonly signal: AbortSignal
  /** Waits for the server. Throws AdapterError when a limit passes or the connection fails. */
  during<T>(wait: () => Promise<T>): Promise<T>
  /** The same for each read; leaving the iteration cancels the rest. */
  read(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array>
  stop(): void
}

/** The limits count from now; `stop` must be called in the end. */
export function startWatch(options: {
  readonly timers: Timers
  readonly limits: { readonly silenceMs: number; readonly totalMs: number }
  readonly signal: AbortSignal
}): Watch {
  const { timers, limits } = options
  const expired = new AbortController()
  const signal = AbortSignal.any([options.signal, expired.signal])
  const expire = (message: string) => () =>
    expired.abort(new AdapterError(message, { retryable: true }))
  const stopTotal = timers.after(limits.totalMs, expire('language model took too long'))

  async function during<T>(wait: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const stopSilence = timers.after(limits.silenceMs, expire('language model was silent'))
    try {
      return await wait()
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof AdapterError) throw error
      throw new AdapterError('connection to the language model failed', {
        retryable: true,
        cause: error,
      })
    } finally {
      stopSilence()
    }
  }

  async function* read(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    const reader = body.getReader()
    try {
      for (;;) {
        const { done, value } = await during(() => reader.read())
        if (done) return
        yield value
      }
    } finally {
      // After an error there is nothing left to cancel, and saying so again helps nobody.
      reader.cancel().catch(() => undefined)
    }
  }

  return { signal, during, read, stop: stopTotal }
}
