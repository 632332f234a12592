import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

import { matchRoute } from '#shared/contract/match-route.ts'
import type { JsonSchema } from '#shared/contract/openapi-schemas.ts'
import { openApiDocument, type OpenApiOperation } from '#shared/contract/openapi.ts'
import { routes } from '#shared/contract/routes.ts'

/** What was asked, and its answer as it was on the wire. */
interface Exchange {
  readonly method: string
  /** With the base path, without the query. */
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const document = openApiDocument()
const E164 = /^\+[1-9]\d{1,14}$/
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i

const schemas = new Ajv2020({
  strict: true,
  allErrors: true,
  formats: {
    'date-time': DATE_TIME,
    e164: E164,
    email: /^[^@\s]+@[^@\s]+$/,
    int64: { type: 'number', validate: Number.isInteger },
    uri: (text) => URL.canParse(text),
  },
})
schemas.addVocabulary(['components', 'discriminator'])
schemas.addSchema({ $id: 'document', components: closed(document.components) })
const checks = new Map<string, ValidateFunction>()

/**
 * A fetch that throws when an answer of the API is not what the OpenAPI document says of it: another
 * status, another content type, another shape, a field that the document does not name.
 */
export function documentedFetch(send: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const response = await send(input, init)
    expectDocumented({
      method: request.method,
      path: new URL(request.url).pathname,
      status: response.status,
      headers: response.headers,
      text: await response.clone().text(),
    })
    return response
  }
}

/** Throws when a webhook's body is not the `call.completed` event of the document. */
export function expectDocumentedEvent(event: unknown): void {
  const found = errorsIn('/components/schemas/CallCompletedEvent', event)
  if (found !== null) throw new Error(`The webhook is not as documented: ${found}`)
}

/** What ajv finds wrong with a value by a schema of the document; null for nothing. */
function errorsIn(pointer: string, value: unknown): string | null {
  let check = checks.get(pointer)
  if (check === undefined) {
    check = schemas.compile({ $ref: `document#${pointer}` })
    checks.set(pointer, check)
  }
  return check(value) ? null : schemas.errorsText(check.errors, { separator: '\n' })
}

function expectDocumented(exchange: Exchange): void {
  const { method, path, status, headers, text } = exchange
  const operation = operationAt(method, path)
  if (operation === null) return
  const complain = (what: string) => {
    throw new Error(`${operation.operationId} is not as documented: ${what}\n${status} ${text}`)
  }
  const response = responseOf(operation, status)
  if (response === undefined) return complain(`it has no ${status}`)
  if (!headers.has('x-request-id')) complain('it has no X-Request-Id')
  const [type, content] = Object.entries(response.content ?? {})[0] ?? []
  if (headers.get('content-type') !== type) complain(`its type is ${headers.get('content-type')}`)
  const wrong = errorsIn(pointerOf(content?.schema), JSON.parse(text))
  if (wrong !== null) complain(wrong)
}

/** Null for what stands in no client: the pages of the document itself, and what carriers call. */
function operationAt(method: string, path: string): OpenApiOperation | null {
  const match = matchRoute({ method, path })
  if (match.kind !== 'found') return null
  const route = routes[match.id]
  return document.paths[route.path]?.[route.method.toLowerCase()] ?? null
}

function responseOf(operation: OpenApiOperation, status: number) {
  const described = operation.responses[status]
  const name = String(described?.['$ref']).split('/').at(-1) ?? ''
  const shared = document.components['responses'] as OpenApiOperation['responses']
  return shared[name] ?? described
}

function pointerOf(schema: JsonSchema | undefined): string {
  if (schema?.$ref === undefined) throw new Error('Every body has a schema with a name')
  return schema.$ref.slice(1)
}

/** The same schemas, where an object has no other fields than those that are named. */
function closed<T>(part: T): T {
  if (Array.isArray(part)) return part.map(closed) as T
  if (typeof part !== 'object' || part === null) return part
  const entries = Object.entries(part).map(([name, inner]) => [name, closed(inner)])
  const isClosed = 'properties' in part && !('additionalProperties' in part)
  return Object.fromEntries([...entries, ...(isClosed ? [['additionalProperties', false]] : [])])
}
