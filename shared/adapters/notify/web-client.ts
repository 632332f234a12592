import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { Timers } from '#shared/ports/clock.ts'
import type { WebClient } from '#shared/ports/web-client.ts'

import { guardedFetch } from './guarded-fetch.ts'

/**
 * Posts to addresses that users gave us, through `guardedFetch`. The answer is its head; of its
 * body at most `maxAnswerBytes` are taken in, then the connection is closed. A body that is too
 * long, too slow or cut off does not undo an answer that was already given.
 * Throws AdapterError: not retryable when the address or a header is refused, retryable when the
 * connection fails or no answer came within `timeoutMs`.
 */
export function webClient(options: {
  readonly allowLoopback: boolean
  readonly timers: Timers
}): WebClient {
  const fetch = guardedFetch(options)
  return {
    async post({ url, headers, body, timeoutMs, maxAnswerBytes }) {
      const expired = new AdapterError('no answer in time', { retryable: true })
      const limit = new AbortController()
      const stopTimer = options.timers.after(timeoutMs, () => limit.abort(expired))
      try {
        const response = await fetch(url, { method: 'POST', headers, body, signal: limit.signal })
        await drain(response, maxAnswerBytes)
        return {
          statusCode: response.status,
          headers: Object.fromEntries(response.headers),
        }
      } finally {
        stopTimer()
      }
    },
  }
}

/** Reads the rest away, so that the other side is not cut off and the connection can be used again. */
async function drain(response: Response, maxBytes: number): Promise<void> {
  if (response.body === null) return
  let bytes = 0
  try {
    for await (const chunk of response.body) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) return
    }
  } catch {
    // The head was the answer.
  }
}
