import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { authorizer } from '#functions/api/authorizer.ts'
import { handler as unrouted } from '#functions/api/unrouted.ts'
import { gateway, type GatewayOptions } from '#infra/local/gateway.ts'
import { apiHandlers } from '#infra/local/local-handlers.ts'
import { problemSchema } from '#shared/contract/problem.ts'
import { BASE_PATH } from '#shared/contract/route.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { apiClient } from './api-client.ts'
import { apiPorts, KEYS, type SeenPorts } from './api-ports.ts'
import { documentedFetch } from './documented-fetch.ts'
import { openStores } from './open-stores.ts'

export interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

export interface ApiRequestOptions {
  /** A whole key; null sends none. */
  readonly key?: string | null
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is. */
  readonly text?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

/** Asks and answers in JSON. */
export type JsonApi = (
  method: string,
  /** Below the base path. */
  target: string,
  body?: unknown,
) => Promise<Pick<ApiAnswer, 'status' | 'body'>>

/** The API behind the local gateway, over HTTP on loopback, on empty stores (`openStores`). */
export async function startApi(
  overrides: Partial<GatewayOptions['handlers']> = {},
  /** Puts something around the ports, such as a look at what passes through. */
  wrap: (ports: SeenPorts) => SeenPorts = (ports) => ports,
) {
  const opened = await openStores()
  const ports = wrap(await apiPorts(opened.stores))
  const compose = () => ports as unknown as ServicePorts
  const faults: unknown[] = []
  const server = createServer(
    gateway({
      authorizer: authorizer(compose),
      handlers: {
        ...apiHandlers(compose),
        'carrier-events': (event) =>
          Promise.resolve({ statusCode: 200, body: JSON.stringify(event) }),
        ...overrides,
      },
      unrouted,
      onFault: (error) => faults.push(error),
    }),
  )
  const port = await listen(server)
  const origin = `http://127.0.0.1:${port}`
  const json =
    (key: string): JsonApi =>
    (method, target, body) =>
      send(`${origin}${BASE_PATH}${target}`, method, { key, json: body })
  return {
    ports,
    faults,
    port,
    request: (method: string, path: string, options: ApiRequestOptions = {}) =>
      send(origin + path, method, options),
    /** The operations as a customer with this key asks for them. */
    client: (key: string = KEYS.live) => apiClient({ baseUrl: origin + BASE_PATH, key }),
    json,
    seedOrders: opened.seedOrders,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
      await opened.close()
    },
  }
}
export type Api = Awaited<ReturnType<typeof startApi>>

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const fetchDocumented = documentedFetch()

async function send(url: string, method: string, options: ApiRequestOptions): Promise<ApiAnswer> {
  const { key = KEYS.test, json, text, headers } = options
  const body = json === undefined ? text : JSON.stringify(json)
  const response = await fetchDocumented(url, {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  })
  const content = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: content === '' ? null : JSON.parse(content),
  }
}

/** The (pointer, code) pairs of a 422, after checking that it is a whole problem document. */
export function fieldErrorsOf(answer: ApiAnswer): [pointer: string, code: string][] {
  const problem = problemSchema.parse(answer.body)
  if (problem.status !== 422 || answer.status !== 422) throw new Error(JSON.stringify(problem))
  return (problem.errors ?? []).map(({ pointer, code }) => [pointer, code])
}
