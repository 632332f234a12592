import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { Timers } from '#shared/ports/clock.ts'
import type { ToolEndpoints } from '#shared/ports/tool-endpoints.ts'
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
}): WebClient & ToolEndpoints {
  const fetch = guardedFetch(options)
  const within = async <T>(
    timeoutMs: number,
    signal: AbortSignal | null,
    ask: (limit: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const expired = new AdapterError('no answer in time', { retryable: true })
    const limit = new AbortController()
    const stopTimer = options.timers.after(timeoutMs, () => limit.abort(expired))
    const both = signal === null ? limit.signal : AbortSignal.any([limit.signal, signal])
    try {
      return await ask(both)
    } finally {
      stopTimer()
    }
  }
  return {
    post: ({ url, headers, body, timeoutMs, maxAnswerBytes }) =>
      within(timeoutMs, null, async (signal) => {
        const response = await fetch(url, { method: 'POST', headers, body, signal })
        await drain(response, maxAnswerBytes)
        return { statusCode: response.status, headers: Object.fromEntries(response.headers) }
      }),
    send: ({ url, method, headers, body, timeoutMs, maxAnswerBytes, signal }) =>
      within(timeoutMs, signal, async (limit) => {
        const init = { method, headers: inUtf8(headers), body, signal: limit }
        const response = await fetch(url, init)
        try {
          const answer = await textOf(response, maxAnswerBytes)
          return { statusCode: response.status, ...answer }
        } catch (error) {
          if (limit.aborted) throw limit.reason
          throw new AdapterError('connection failed', { retryable: true, cause: error })
        }
      }),
  }
}

/** Node takes header values as bytes; other than ASCII goes as UTF-8. */
function inUtf8(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Buffer.from(value, 'utf8').toString('latin1'),
    ]),
  )
}

/** What is longer is cut off, and the connection with it. */
async function textOf(
  response: Response,
  maxBytes: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) return { text: '', isWhole: false }
    chunks.push(chunk)
  }
  return { text: Buffer.concat(chunks).toString('utf8'), isWhole: true }
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
