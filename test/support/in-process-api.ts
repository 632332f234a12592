import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'

import { authorizer } from '#functions/api/authorizer.ts'
import { unroutedHandler } from '#functions/api/unrouted.ts'
import { gateway, type GatewayOptions } from '#infra/local/gateway.ts'
import { apiHandlers } from '#infra/local/local-handlers.ts'
import { BASE_PATH } from '#shared/contract/route.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

export interface RawRequest {
  readonly method: string
  /** Path and query below the base path, as they stand on the wire. */
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

type Handlers = GatewayOptions['handlers']
type Result = ReturnType<Handlers[keyof Handlers]>

/**
 * The real gateway and the real handlers without a socket between them. `around` is called with the
 * work of each handler, which it has to do.
 */
export function inProcessApi(
  ports: unknown,
  around: (work: () => Result) => Result = (work) => work(),
) {
  const compose = () => ports as ServicePorts
  const handlers = Object.entries(apiHandlers(compose)).map(([group, handle]) => [
    group,
    (event: Parameters<typeof handle>[0]) => around(() => handle(event)),
  ])
  const listener = gateway({
    authorizer: authorizer(compose),
    handlers: Object.fromEntries(handlers) as Handlers,
    unrouted: unroutedHandler(compose),
  })
  return (request: RawRequest): Promise<RawAnswer> =>
    new Promise((resolve) => listener(incoming(request), outgoing(resolve)))
}

function incoming({ method, target, headers = {}, body = '' }: RawRequest): IncomingMessage {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const stream = Readable.from(bytes.length === 0 ? [] : [bytes], { objectMode: false })
  return Object.assign(stream, {
    method,
    url: BASE_PATH + target,
    httpVersion: '1.1',
    headersDistinct: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]]),
    ),
    socket: { remoteAddress: '127.0.0.1' },
  }) as unknown as IncomingMessage
}

function outgoing(answered: (answer: RawAnswer) => void): ServerResponse {
  const headers: Record<string, string> = {}
  const response = {
    destroyed: false,
    statusCode: 0,
    setHeader: (name: string, value: unknown) => (headers[name.toLowerCase()] = String(value)),
    end: (content: Buffer) => {
      const plain = headers['content-encoding'] === 'gzip' ? gunzipSync(content) : content
      answered({ status: response.statusCode, headers, text: plain.toString() })
    },
  }
  return response as unknown as ServerResponse
}

/** A base URL; no address leads there. */
export const IN_PROCESS = `http://in-process.test${BASE_PATH}`

/** The same as a fetch of addresses below `IN_PROCESS`. */
export function inProcessFetch(send: (request: RawRequest) => Promise<RawAnswer>): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const { pathname, search } = new URL(request.url)
    const { status, headers, text } = await send({
      method: request.method,
      target: pathname.slice(BASE_PATH.length) + search,
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
    })
    return new Response(text, { status, headers })
  }
}
