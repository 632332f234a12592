import { ASSISTANT_DEFAULTS } from './assistant.ts'
import { callOrderSchema } from './call-order.ts'
import { BODY_EXAMPLES } from './openapi-examples.ts'
import { type JsonSchema, type SchemaCollection, schemaCollection } from './openapi-schemas.ts'
import { PROBLEMS, problemSchema } from './problem.ts'
import { BASE_PATH, type Route, takesIdempotencyKey } from './route.ts'
import { type OperationId, routes } from './routes.ts'

/** JSON, as the document is served. */
export type OpenApiDocument = Readonly<Record<string, unknown>> & {
  readonly openapi: '3.1.1'
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly [kind: string]: unknown
  }
}

export interface OpenApiOperation {
  readonly operationId: string
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, MediaType>>
  }
  readonly responses: Readonly<Record<string, OpenApiResponse>>
  readonly [field: string]: unknown
}

interface MediaType {
  readonly schema: JsonSchema
  readonly [field: string]: unknown
}

interface OpenApiResponse {
  readonly description?: string
  readonly content?: Readonly<Record<string, MediaType>>
  readonly [field: string]: unknown
}

/** What clients need no key for, and what only carriers call, stands in no client. */
const operations = (Object.entries(routes) as [OperationId, Route][]).filter(
  ([, route]) => route.auth === 'key',
)

/** Raised by a release; the contract below one base path only grows. */
const VERSION = '1.0.0'

/** The OpenAPI 3.1 document: the route table and the schemas that the handlers check with. */
export function openApiDocument(): OpenApiDocument {
  const schemas = schemaCollection()
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  for (const [id, route] of operations) {
    const path = (paths[route.path] ??= {})
    path[route.method.toLowerCase()] = operationOf(id, route, schemas)
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Parley',
      version: VERSION,
      summary: 'Voice agents that place and answer phone calls',
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: BASE_PATH, description: 'Where this document is served' }],
    security: [{ ApiKey: [] }],
    tags: [...new Set(operations.map(([, { group }]) => group))].map((name) => ({
      name,
      description: capital(name.replaceAll('-', ' ')),
    })),
    paths,
    webhooks: { 'call.completed': { post: callCompleted(schemas) } },
    components: {
      securitySchemes: {
        ApiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `vak_live_…`, or `vak_test_…` which reaches test numbers only.',
        },
      },
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      headers: HEADERS,
      responses: problemResponses(schemas),
      schemas: schemas.collected(),
    },
  }
}

const INTRODUCTION = `Every success is a 200. Every refusal is a problem document (RFC 9457) with a
stable \`code\`; a 422 names each invalid field by JSON Pointer. Timestamps are RFC 3339 in UTC.
Lists hold up to 1,000 items an answer; \`next_cursor\` is the \`cursor\` of the next one. Unknown
fields in a body are refused; fields that only the service sets may be sent back and are ignored.`

function operationOf(id: OperationId, route: Route, schemas: SchemaCollection): OpenApiOperation {
  return {
    operationId: id,
    summary: capital(id.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)),
    tags: [route.group],
    security: [{ ApiKey: route.scope === null ? [] : [route.scope] }],
    parameters: parametersOf(route, schemas),
    ...(route.body !== null && {
      requestBody: { required: true, content: { 'application/json': bodyOf(id, route, schemas) } },
    }),
    responses: {
      200: {
        description: 'Done',
        headers: headersOf(route),
        ...(route.response !== null && {
          content: { 'application/json': { schema: answerOf(id, route, schemas) } },
        }),
      },
      ...Object.fromEntries(
        statusesOf(route).map((status) => [
          status,
          { $ref: `#/components/responses/Problem${status}` },
        ]),
      ),
    },
  }
}

function bodyOf(id: OperationId, route: Route, schemas: SchemaCollection): MediaType {
  if (route.body === null) throw new Error(`${id} takes no body`)
  const schema = schemas.refer(route.body, 'input')
  const named = '$ref' in schema ? schema : schemas.name(`${capital(id)}Body`, filled(id, schema))
  const example = BODY_EXAMPLES[id]
  return { schema: named, ...(example !== undefined && { example }) }
}

/** What a new assistant is where its creator says nothing stands beside the schemas, for a PATCH. */
function filled(id: OperationId, schema: JsonSchema): JsonSchema {
  if (id === 'createAssistant') return withDefaults(schema)
  const assistant = schema.properties?.['assistant']
  if (id !== 'createCall' || typeof assistant !== 'object') return schema
  return { ...schema, properties: { ...schema.properties, assistant: withDefaults(assistant) } }
}

function withDefaults(schema: JsonSchema): JsonSchema {
  const defaults: Readonly<Record<string, unknown>> = ASSISTANT_DEFAULTS
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    name in defaults && typeof property === 'object'
      ? { ...property, default: defaults[name] }
      : property,
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}

function answerOf(id: OperationId, route: Route, schemas: SchemaCollection): JsonSchema {
  if (route.response === null) throw new Error(`${id} answers nothing`)
  const schema = schemas.refer(route.response, 'output')
  return '$ref' in schema ? schema : schemas.name(`${capital(id)}Answer`, schema)
}

function parametersOf(route: Route, schemas: SchemaCollection): unknown[] {
  const listed = (place: 'path' | 'query', schema: JsonSchema) =>
    Object.entries(schema.properties ?? {}).map(([name, property]) => ({
      name,
      in: place,
      required: schema.required?.includes(name) === true,
      schema: property,
    }))
  return [
    ...listed('path', schemas.refer(route.params, 'input')),
    ...(route.query === undefined ? [] : listed('query', schemas.refer(route.query, 'input'))),
    ...(takesIdempotencyKey(route) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ]
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Sent again with the same key within 24 hours, a request is not done again: it gets the answer ' +
    'that the first one got. 1 to 255 printable characters, quoted or not.',
  schema: { type: 'string', minLength: 1, maxLength: 512 },
  example: '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
}

const textHeader = (description: string) => ({ description, schema: { type: 'string' } })

const HEADERS = {
  'X-Request-Id': textHeader("The request's id: the client's own when it sent a well-formed one."),
  'RateLimit-Policy': textHeader(
    'The quota (q) of the organization and its window (w) in seconds.',
  ),
  RateLimit: textHeader('What is left of it (r), and the seconds (t) until it is whole again.'),
  'Retry-After': textHeader('The seconds after which the request may be sent again.'),
  'Idempotent-Replayed': textHeader('`true` where this is the answer of an earlier equal request.'),
}
type HeaderName = keyof typeof HEADERS

const RATE_HEADERS: readonly HeaderName[] = ['RateLimit-Policy', 'RateLimit']

function references(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function headersOf(route: Route) {
  const replayed: HeaderName[] = takesIdempotencyKey(route) ? ['Idempotent-Replayed'] : []
  return references(['X-Request-Id', ...RATE_HEADERS, ...replayed])
}

/** What an assistant's `webhook_url` is sent (decisions 4). */
function callCompleted(schemas: SchemaCollection): unknown {
  const call = schemas.refer(callOrderSchema, 'output')
  const text = { type: 'string' } as const
  const event: JsonSchema = {
    type: 'object',
    required: ['id', 'type', 'timestamp', 'data'],
    properties: {
      id: text,
      type: { const: 'call.completed' },
      timestamp: { ...text, format: 'date-time' },
      data: { type: 'object', required: ['call'], properties: { call } },
    },
  }
  return {
    operationId: 'callCompleted',
    summary: 'A call order is final',
    description:
      'Sent to `webhook_url`, signed as Standard Webhooks 1.0 has it: `webhook-id`, ' +
      '`webhook-timestamp` and `webhook-signature`. The id stays the same when it is sent again.',
    tags: ['calls'],
    security: [],
    requestBody: {
      content: { 'application/json': { schema: schemas.name('CallCompletedEvent', event) } },
    },
    responses: {
      '2XX': { description: 'Taken' },
      410: { description: 'Gone: nothing more is sent there' },
    },
  }
}

/** How an operation may be refused. */
function statusesOf(route: Route): number[] {
  const takesBody = route.body !== null
  const takesInput = takesBody || takesIdempotencyKey(route)
  const possible: readonly (readonly [status: number, isPossible: boolean])[] = [
    [400, takesInput],
    [401, true],
    [403, true],
    [404, true],
    [409, route.method !== 'GET'],
    [413, takesBody],
    [415, takesBody],
    [422, takesInput || route.query !== undefined],
    [429, true],
    [500, true],
    [503, true],
  ]
  return possible.flatMap(([status, isPossible]) => (isPossible ? [status] : []))
}

/** One response for each status, with the codes that it may carry. */
function problemResponses(schemas: SchemaCollection): Record<string, unknown> {
  const codes = Object.entries(PROBLEMS)
  const schema = schemas.refer(problemSchema, 'output')
  return Object.fromEntries(
    [...new Set(codes.map(([, { status }]) => status))]
      .filter((status) => status !== PROBLEMS.method_not_allowed.status)
      .map((status) => {
        const causes = codes.filter(([, problem]) => problem.status === status)
        const retry: HeaderName[] = [409, 429, 503].includes(status) ? ['Retry-After'] : []
        const description = causes.map(([code, { title }]) => `\`${code}\`: ${title}`).join('. ')
        return [
          `Problem${status}`,
          {
            description,
            headers: references(['X-Request-Id', ...retry]),
            content: { 'application/problem+json': { schema } },
          },
        ]
      }),
  )
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
