import withMiddleware, { type MiddlewareObj } from '@middy/core'
import type {
  APIGatewayProxyEventV2WithLambdaAuthorizer,
  APIGatewayProxyStructuredResultV2,
} from 'aws-lambda'

import { fieldErrors } from '#shared/contract/field-errors.ts'
import { matchRoute } from '#shared/contract/match-route.ts'
import { problemOf, type Refusal } from '#shared/contract/problem.ts'
import {
  type BodyOf,
  type Group,
  type OperationOf,
  type OperationId,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
  type Route,
  routes,
  takesIdempotencyKey,
} from '#shared/contract/routes.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { Logger } from '#shared/ports/logger.ts'

import { type Answer, invalid, ok, refused, type Refused } from './answer.ts'
import { allows, type AuthContext, type Caller, callerOf } from './caller.ts'
import { readIdempotencyKey } from './idempotency-key.ts'
import { type IdempotencyPorts, idempotentRequest, once } from './idempotency.ts'
import { type RateLimit, rateLimit, type RateLimitPorts } from './rate-limit.ts'
import { readJson } from './read-json.ts'

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

/** Every operation of a group: what one Lambda answers. */
export type Operations<Ports, G extends Group> = {
  readonly [Id in OperationOf<G>]: Operation<Ports, Id>
}

type Event = APIGatewayProxyEventV2WithLambdaAuthorizer<AuthContext | null>
type Result = APIGatewayProxyStructuredResultV2
export type HttpHandler = (event: Event) => Promise<Result>

/** What every operation is surrounded with. */
type HttpPorts = IdempotencyPorts & RateLimitPorts & { readonly logger: Logger }

/**
 * The Lambda handler of a group of operations behind an HTTP API (payload format 2.0). `compose` is
 * called once, at the first request.
 */
export function httpHandler<Ports extends HttpPorts, G extends Group>(
  operations: Operations<Ports, G>,
  compose: () => Ports,
): HttpHandler {
  let composed: Ports | undefined
  const ports = () => (composed ??= compose())
  const limit = rateLimit()
  const handle = withMiddleware<Event, Result>()
    .use(answerWithRequestId())
    .use(hideFaults(() => ports().logger))
    .handler(async (event: Event) => {
      const answer = await perform(operations as AnyOperations<Ports>, ports, limit, event)
      return answer.kind === 'ok'
        ? json(200, answer.body, answer.headers)
        : problem(event, answer.refusal)
    })
  return (event) => handle(event, {} as never)
}

type AnyOperation<Ports> = (ports: Ports, request: unknown) => Promise<Answer<unknown>>
type AnyOperations<Ports> = Readonly<Record<string, AnyOperation<Ports> | undefined>>

/** Who asks, whether there is room for it, what is asked, whether it is done already; then the work. */
async function perform<Ports extends HttpPorts>(
  operations: AnyOperations<Ports>,
  ports: () => Ports,
  limit: RateLimit,
  event: Event,
): Promise<Answer<unknown>> {
  const id = operationIds.get(event.routeKey)
  const operation = id && operations[id]
  if (id === undefined || operation === undefined) return refuseUnrouted(event)
  const route: Route = routes[id]
  const identified = identify(route, event)
  if (identified.kind === 'refused') return identified
  const caller = identified.body
  const { organizationId } = caller
  return limit(ports(), { organizationId, rateClass: route.rate ?? 'default' }, async () => {
    const key = takesIdempotencyKey(route)
      ? readIdempotencyKey(event.headers['idempotency-key'])
      : ok(null)
    if (key.kind === 'refused') return key
    const asked = readRequest(route, event)
    if (asked.kind === 'refused') return asked
    const work = (own: Ports) => operation(own, { caller, ...asked.body })
    if (key.body === null) return work(ports())
    const request = idempotentRequest({
      organizationId,
      operation: id,
      key: key.body,
      asked: [caller.isTest, asked.body],
      isSecret: route.isShownOnce === true,
    })
    return once(ports(), request, work)
  })
}

const operationIds: ReadonlyMap<string, OperationId> = new Map(
  Object.entries(routes).map(([id, { method, path }]) => [`${method} ${path}`, id as OperationId]),
)

function identify(route: Route, event: Event): Answer<Caller> {
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
  event: Event,
): Answer<{ readonly params: unknown; readonly query: unknown; readonly body: unknown }> {
  const params = route.params.safeParse(event.pathParameters ?? {})
  if (!params.success) return refused('not_found', 'There is nothing with this id')
  const query = readQuery(route, event)
  if (query.kind === 'refused') return query
  const body = readBody(route, event)
  if (body.kind === 'refused') return body
  return ok({ params: params.data, query: query.body, body: body.body })
}

function readQuery(route: Route, event: Event): Answer<unknown> {
  if (route.query === undefined) return ok(null)
  const parsed = route.query.safeParse(event.queryStringParameters ?? {}, { reportInput: true })
  if (parsed.success) return ok(parsed.data)
  return refused('validation_failed', 'Some parameters of the query are not valid', {
    errors: fieldErrors(parsed.error),
  })
}

function readBody(route: Route, event: Event): Answer<unknown> {
  if (route.body === null) return ok(null)
  const read = readJson({
    contentType: event.headers['content-type'],
    body: event.body,
    isBase64Encoded: event.isBase64Encoded,
    large: route.largeBody,
  })
  if (read.kind === 'refused') return read
  const parsed = route.body.safeParse(read.body, { reportInput: true })
  return parsed.success ? ok(parsed.data) : invalid(fieldErrors(parsed.error))
}

/** Answers what no route takes: the gateway's `$default`. */
function refuseUnrouted(event: Event): Refused {
  const { method } = event.requestContext.http
  const match = matchRoute({ method, path: event.rawPath })
  if (match.kind !== 'wrongMethod') return refused('not_found', 'There is nothing at this address')
  return refused('method_not_allowed', `This address takes ${match.allow.join(', ')}`, {
    headers: { allow: match.allow.join(', ') },
  })
}

/** Puts `X-Request-Id` on every answer (decisions 1). */
function answerWithRequestId(): MiddlewareObj<Event, Result> {
  const addHeader = ({ event, response }: { event: Event; response?: Result | null }) => {
    if (response) response.headers = { ...response.headers, 'x-request-id': requestIdOf(event) }
  }
  return { after: addHeader, onError: addHeader }
}

/** Answers what was thrown with a 500 that tells nothing; the log tells the rest. */
function hideFaults(logger: () => Logger): MiddlewareObj<Event, Result> {
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

/** The client's own id when it is well-formed, else the gateway's. */
function requestIdOf(event: Event): string {
  const own = event.headers['x-request-id']
  return own !== undefined && /^[\w.:=+/-]{1,128}$/.test(own) ? own : event.requestContext.requestId
}

function problem(event: Event, refusal: Refusal): Result {
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
