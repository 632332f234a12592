import http from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'

import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent'

import { AdapterError } from '#shared/ports/adapter-error.ts'

import { checkUrl } from './check-url.ts'

/** What callers may not set: it belongs to the connection, or to somebody's credentials. */
const RESERVED_HEADER =
  /^(host|content-length|transfer-encoding|connection|upgrade|te|trailer|expect|accept-encoding|proxy-.*|x-amz-.*)$/i

/** Both, because names may resolve to either. */
const LOOPBACK = ['127.0.0.1', '::1']

/**
 * A `fetch` for addresses that users gave us: https only, public addresses only, checked on the
 * very address that the socket connects to, so that no name can change its mind between check and
 * use. It follows no redirect, uses no proxy, and neither asks for compression nor undoes it.
 * `allowLoopback` (local stack) admits http and this machine (reference/protocols-business.md 9).
 * Rejects with AdapterError; after an abort with the signal's reason.
 */
export function guardedFetch(options: {
  readonly allowLoopback: boolean
}): (url: string, init: RequestInit) => Promise<Response> {
  const filter = {
    keepAlive: true,
    maxSockets: 200,
    ...(options.allowLoopback && { allowIPAddressList: LOOPBACK }),
  }
  const secure = new RequestFilteringHttpsAgent(filter)
  const plain = new RequestFilteringHttpAgent(filter)

  return (address, init) => {
    const checked = checkUrl(address, options)
    if (checked.kind === 'refused') {
      return Promise.reject(new AdapterError(checked.reason, { retryable: false }))
    }
    const isSecure = checked.url.protocol === 'https:'
    return send({
      url: checked.url,
      request: isSecure ? https.request : http.request,
      agent: isSecure ? secure : plain,
      init,
    })
  }
}

function send(options: {
  readonly url: URL
  readonly request: typeof http.request
  readonly agent: http.Agent
  readonly init: RequestInit
}): Promise<Response> {
  const { url, init } = options
  const signal = init.signal ?? undefined
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) =>
      reject(signal?.aborted ? signal.reason : connectionError(error))
    try {
      const request = options.request(url, {
        agent: options.agent,
        method: init.method ?? 'GET',
        headers: allowedHeaders(init),
        signal,
      })
      request.on('error', fail)
      request.on('response', (answer) => resolve(asResponse(answer)))
      // As bytes: Node writes a text and the head before it in one encoding, the head's included.
      request.end(typeof init.body === 'string' ? Buffer.from(init.body) : undefined)
    } catch (error) {
      // Node refuses header values with control characters here, before anything is sent.
      reject(new AdapterError('request refused', { retryable: false, cause: error }))
    }
  })
}

function allowedHeaders(init: RequestInit): Record<string, string> {
  const given = Object.entries((init.headers ?? {}) as Readonly<Record<string, string>>)
  return {
    'accept-encoding': 'identity',
    // Node itself names no length for a DELETE, and its body would be read as another request.
    ...(typeof init.body === 'string' && {
      'content-length': String(Buffer.byteLength(init.body)),
    }),
    ...Object.fromEntries(given.filter(([name]) => !RESERVED_HEADER.test(name))),
  }
}

function asResponse(answer: http.IncomingMessage): Response {
  const status = answer.statusCode ?? 500
  const headers = new Headers()
  for (const [name, values] of Object.entries(answer.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  const mayHaveBody = ![204, 205, 304].includes(status)
  if (!mayHaveBody) answer.resume()
  const body = mayHaveBody ? (Readable.toWeb(answer) as ReadableStream<Uint8Array>) : null
  return new Response(body, { status, headers })
}

function connectionError(error: unknown): AdapterError {
  const isForbidden = error instanceof Error && /is not allowed/.test(error.message)
  return isForbidden
    ? new AdapterError('address is not public', { retryable: false, cause: error })
    : new AdapterError('connection failed', { retryable: true, cause: error })
}
