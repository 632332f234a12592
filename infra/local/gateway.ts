import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

import type {
  APIGatewayProxyEventV2WithLambdaAuthorizer,
  APIGatewayProxyStructuredResultV2,
} from 'aws-lambda'

import type { Authorizer } from '#functions/api/authorizer.ts'
import type { AuthContext } from '#functions/middleware/caller.ts'
import { matchRoute, type RouteMatch } from '#shared/contract/match-route.ts'
import type { Group } from '#shared/contract/route.ts'
import { routes } from '#shared/contract/routes.ts'

type Event = APIGatewayProxyEventV2WithLambdaAuthorizer<AuthContext | null>
type Result = APIGatewayProxyStructuredResultV2
type Handler = (event: Event) => Promise<Result>

export interface GatewayOptions {
  readonly authorizer: Authorizer
  readonly handlers: Readonly<Record<Group, Handler>>
  /** For every address and method that is no operation. */
  readonly unrouted: Handler
  /** Told of what the gateway answers with a 5xx of its own. */
  readonly onFault?: (error: unknown) => void
}

/** As API Gateway has them (reference/aws.md 4.1). */
const BODY_BYTES_MAX = 10 * 1024 * 1024
const ANSWER_TIMEOUT_MS = 30_000

/**
 * An HTTP API on one machine: finds the operation, builds the event of payload format 2.0, asks the
 * real authorizer, calls the real handler. Whatever arrives gets one answer.
 */
export function gateway(options: GatewayOptions): RequestListener {
  return (request, response) => {
    void answer(options, request)
      .catch((error: unknown) => {
        options.onFault?.(error)
        return message(500, 'Internal Server Error')
      })
      .then((result) => write(response, result))
  }
}

async function answer(options: GatewayOptions, request: IncomingMessage): Promise<Result> {
  const body = await readBody(request)
  if (body === null) return message(413, 'Request Entity Too Large')
  const event = eventOf(request, body)
  const match = matchRoute({ method: event.requestContext.http.method, path: event.rawPath })
  return inTime(() => invoke(options, match, event), options.onFault)
}

async function invoke(options: GatewayOptions, match: RouteMatch, event: Event): Promise<Result> {
  if (match.kind !== 'found') return options.unrouted(event)
  const route = routes[match.id]
  const routed: Event = {
    ...event,
    routeKey: `${route.method} ${route.path}`,
    pathParameters: match.params,
  }
  if (route.auth === 'key') {
    const { context } = await options.authorizer(routed)
    routed.requestContext.authorizer = { lambda: context }
  }
  return options.handlers[route.group](routed)
}

async function inTime(
  run: () => Promise<Result>,
  onFault: GatewayOptions['onFault'],
): Promise<Result> {
  const { promise: late, resolve } = Promise.withResolvers<Result>()
  const timer = setTimeout(() => {
    onFault?.(new Error('A handler took too long'))
    resolve(message(503, 'Service Unavailable'))
  }, ANSWER_TIMEOUT_MS)
  try {
    return await Promise.race([run(), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Null when it is too large; the rest is not read then. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer)
    length += (chunk as Buffer).length
    if (length > BODY_BYTES_MAX) return null
  }
  return Buffer.concat(chunks)
}

function eventOf(request: IncomingMessage, body: Buffer): Event {
  const target = request.url ?? '/'
  const queryAt = target.indexOf('?')
  const rawPath = queryAt < 0 ? target : target.slice(0, queryAt)
  const rawQueryString = queryAt < 0 ? '' : target.slice(queryAt + 1)
  const { cookie, ...headers } = flatHeaders(request)
  const time = new Date()
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString,
    ...(cookie !== undefined && { cookies: cookie.split('; ') }),
    headers,
    ...(rawQueryString !== '' && { queryStringParameters: queryParameters(rawQueryString) }),
    requestContext: {
      accountId: 'local',
      apiId: 'local',
      authorizer: { lambda: null },
      domainName: headers['host'] ?? 'localhost',
      domainPrefix: 'local',
      http: {
        method: request.method ?? 'GET',
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress ?? '',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey: '$default',
      stage: '$default',
      time: time.toISOString(),
      timeEpoch: time.getTime(),
    },
    ...encodeBody(body, headers['content-type']),
  }
}

function flatHeaders(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headersDistinct).map(([name, values]) => [
      name,
      (values ?? []).join(name === 'cookie' ? '; ' : ','),
    ]),
  )
}

/** Repeated names are joined by commas. */
function queryParameters(query: string): Record<string, string> {
  const parameters = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(query)) {
    const before = parameters.get(name)
    parameters.set(name, before === undefined ? value : `${before},${value}`)
  }
  return Object.fromEntries(parameters)
}

/** Text goes as it is; forms and everything else, and what is no UTF-8, go as base64. */
function encodeBody(
  body: Buffer,
  contentType: string | undefined,
): Pick<Event, 'isBase64Encoded'> & { body?: string } {
  if (body.length === 0) return { isBase64Encoded: false }
  const isText = /^text\/|json|xml|javascript/i.test(contentType ?? '')
  const text = body.toString('utf8')
  return isText && Buffer.from(text).equals(body)
    ? { body: text, isBase64Encoded: false }
    : { body: body.toString('base64'), isBase64Encoded: true }
}

function message(statusCode: number, text: string): Result {
  return {
    statusCode,
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ message: text }),
  }
}

function write(response: ServerResponse, result: Result): void {
  if (response.destroyed) return
  const body = Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8')
  for (const [name, value] of Object.entries(result.headers ?? {})) {
    response.setHeader(name, String(value))
  }
  response.statusCode = result.statusCode ?? 200
  response.setHeader('content-length', body.length)
  response.end(body)
}
