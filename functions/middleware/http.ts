import withMiddleware, { type MiddlewareObj } from '@middy/core'
import type {
  APIGatewayProxyEventV2WithLambdaAuthorizer,
  APIGatewayProxyStructuredResultV2,
} from 'aws-lambda'

import { fieldErrors } from '#shared/contract/field-errors.ts'
import { problemOf, type Refusal } from '#shared/contract/problem.ts'
import { type Route, takesIdempotencyKey } from '#shared/contract/route.ts'
import type { BodyOf, OperationId, ParamsOf, QueryOf, ResponseOf } from '#shared/contract/routes.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { Logger } from '#shared/ports/logger.ts'

import { type Answer, invalid, ok, refused } from './answer.ts'
import { allows, type AuthContext, type Caller, callerOf } from './caller.ts'
import { readIdempotencyKey } from './idempotency-key.ts'
import { type IdempotencyPorts, idempotentRequest, once } from './idempotency.ts'
import { packAnswer } from './pack-answer.ts'
import { type RateLimit, rateLimit, type RateLimitPorts } from './rate-limit.ts'
import { readJson } from './read-json.ts'
import { requestIdOf } from './request-id.ts'

/** A request after every check that needs no knowledge of the operation. */
export interface ApiRequest<Id extends OperationId> {
  readonly caller: Caller
  readonly params: ParamsOf<Id>
  readonly query: QueryOf<Id>
  readonly body: BodyOf<Id>
}

/** One operation of the route table. */
export type Operation<Ports, Id extends OperationId> = (
  ports: Ports,
  request: ApiRequest<Id>,
) => Promise<Answer<ResponseOf<Id>>>

export type HttpEvent = APIGatewayProxyEventV2WithLambdaAuthorizer<AuthContext | null>
type Result = APIGatewayProxyStructuredResultV2
export type HttpHandler = (event: HttpEvent) => Promise<Result>

/** What every operation is surrounded with. */
type HttpPorts = IdempotencyPorts & RateLimitPorts & { readonly logger: Logger }

/**
 * The Lambda handler of a group of operations behind an HTTP API (payload format 2.0), once it is
 * given its ports, which it asks for with each request.
 */
export function httpHandler<
  Id extends OperationId,
  Operations extends { readonly [Each in Id]: Operation<never, Each> },
>(
  routes: Readonly<Record<Id, Route>>,
  operations: Operations,
): (ports: () => PortsOf<Operations> & HttpPorts) => HttpHandler {
  const routed = new Map(
    (Object.keys(routes) as Id[]).map((id) => {
      const route: Route = routes[id]
      const operation = operations[id] as AnyOperation
      return [`${route.method} ${route.path}`, { id, route, operation }]
    }),
  )
  return (ports) => {
    const limit = rateLimit()
    const answerTo = (event: HttpEvent) => {
      const found = routed.get(event.routeKey)
      return found === undefined
        ? refused('not_found', 'There is nothing at this address')
        : perform(found, ports(), limit, event)
    }
    return answering(answerTo, () => ports().logger)
  }
}

/** A Lambda handler whose answers have the form that every answer has (decisions 1). */
export function answering(
  answerTo: (event: HttpEvent) => Answer<unknown> | Promise<Answer<unknown>>,
  logger: () => Logger,
): HttpHandler {
  const handle = withMiddleware<HttpEvent, Result>()
    .use(answerWithRequestId())
    .use(hideFaults(logger))
    .handler(async (event: HttpEvent) => {
      const answer = await answerTo(event)
      return answer.kind === 'ok'
        ? packAnswer(json(200, answer.body, answer.headers), event.headers['accept-encoding'])
        : problem(event, answer.refusal)
    })
  return (event) => handle(event, {} as never)
}

/** What the operations need together. */
type PortsOf<Operations> =
  Operations extends Readonly<Record<string, (ports: infer Ports, request: never) => unknown>>
    ? Ports
    : never

type AnyOperation = (ports: HttpPorts, request: unknown) => Promise<Answer<unknown>>

/** Who asks, whether there is room for it, what is asked, whether it is done already; then the work. */
async function perform(
  routed: {
    readonly id: OperationId
    readonly route: Route
    readonly operation: AnyOperation
  },
  ports: HttpPorts,
  limit: RateLimit,
  event: HttpEvent,
): Promise<Answer<unknown>> {
  const { id, route, operation } = routed
  const identified = identify(route, event)
  if (identified.kind === 'refused') return identified
  const caller = identified.body
  const { organizationId } = caller
  return limit(ports, { organizationId, rateClass: route.rate ?? 'default' }, async () => {
    const key = takesIdempotencyKey(route)
      ? readIdempotencyKey(event.headers['idempotency-key'])
      : ok(null)
    if (key.kind === 'refused') return key
    const asked = readRequest(route, event)
    if (asked.kind === 'refused') return asked
    const work = (own: HttpPorts) => operation(own, { caller, ...asked.body })
    if (key.body === null) return work(ports)
    const request = idempotentRequest({
      organizationId,
      operation: id,
      key: key.body,
      asked: [caller.isTest, asked.body],
      isSecret: route.isShownOnce === true,
    })
    return once(ports, request, work)
  })
}

function identify(route: Route, event: HttpEvent): Answer<Caller> {
  const caller = callerOf(event.requestContext.authorizer?.lambda)
  if (caller === null) {
    return refused('invalid_api_key', 'Send a valid key as Authorization: Bearer <API_KEY>', {
      headers: { 'www-authenticate': 'Bearer' },
    })
  }
  if (route.scope !== null && !allows(caller, route.scope)) {
    return refused('insufficient_scope', `The API key lacks the scope ${route.scope}`)
  }
  return ok(caller)
}

/** The checks that every operation shares, in the order in which they are answered. */
function readRequest(
  route: Route,
  event: HttpEvent,
): Answer<{ readonly params: unknown; readonly query: unknown; readonly body: unknown }> {
  const params = route.params.safeParse(event.pathParameters ?? {})
  if (!params.success) return refused('not_found', 'There is nothing with this id')
  const query = readQuery(route, event)
  if (query.kind === 'refused') return query
  const body = readBody(route, event)
  if (body.kind === 'refused') return body
  return ok({ params: params.data, query: query.body, body: body.body })
}

function readQuery(route: Route, event: HttpEvent): Answer<unknown> {
  if (route.query === undefined) return ok(null)
  const parsed = route.query.safeParse(event.queryStringParameters ?? {}, { reportInput: true })
  if (parsed.success) return ok(parsed.data)
  return refused('validation_failed', 'Some parameters of the query are not valid', {
    errors: fieldErrors(parsed.error),
  })
}

function readBody(route: Route, event: HttpEvent): Answer<unknown> {
  if (route.body === null) return ok(null)
  const read = readJson({
    contentType: event.headers['content-type'],
    contentEncoding: event.headers['content-encoding'],
    body: event.body,
    isBase64Encoded: event.isBase64Encoded,
    large: route.largeBody,
  })
  if (read.kind === 'refused') return read
  const parsed = route.body.safeParse(read.body, { reportInput: true })
  return parsed.success ? ok(parsed.data) : invalid(fieldErrors(parsed.error))
}

/** Puts `X-Request-Id` on every answer (decisions 1). */
function answerWithRequestId(): MiddlewareObj<HttpEvent, Result> {
  const addHeader = ({ event, response }: { event: HttpEvent; response?: Result | null }) => {
    if (response) response.headers = { ...response.headers, 'x-request-id': requestIdOf(event) }
  }
  return { after: addHeader, onError: addHeader }
}

/** Answers what was thrown with a 500 that tells nothing; the log tells the rest. */
function hideFaults(logger: () => Logger): MiddlewareObj<HttpEvent, Result> {
  return {
    onError: (request) => {
      const { event, error } = request
      logger().error('A request failed', {
        routeKey: event.routeKey,
        requestId: requestIdOf(event),
        error,
      })
      request.response = problem(event, faultOf(error))
    },
  }
}

const RETRY_AFTER_SECS = 1

/** Something that this service stands on is busy or out of reach, or it is our own fault. */
function faultOf(error: unknown): Refusal {
  if (error instanceof AdapterError && error.retryable) {
    const seconds = Math.ceil(error.retryAfterSecs ?? RETRY_AFTER_SECS)
    return {
      code: 'service_unavailable',
      detail: 'The service is too busy for this request; send it again',
      headers: { 'retry-after': String(seconds) },
    }
  }
  return {
    code: 'internal_error',
    detail: 'The request failed on our side; its id helps us to find out why',
  }
}

function problem(event: HttpEvent, refusal: Refusal): Result {
  const document = problemOf(refusal, { id: requestIdOf(event), path: event.rawPath })
  return {
    ...json(document.status, document),
    headers: { 'content-type': 'application/problem+json', ...refusal.headers },
  }
}

function json(
  statusCode: number,
  body: unknown,
  headers?: Readonly<Record<string, string>>,
): Result {
  return {
    statusCode,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
}
