import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { JsonSchema } from '#shared/contract/openapi-schemas.ts'
import { openApiDocument, type OpenApiOperation } from '#shared/contract/openapi.ts'
import { problemSchema } from '#shared/contract/problem.ts'
import type { Route } from '#shared/contract/route.ts'
import type { OperationId } from '#shared/contract/routes.ts'
import { apiClient } from '#test/support/api-client.ts'
import { KEYS } from '#test/support/api-ports.ts'
import { hostileBody, hostileQuery, hostileText } from '#test/support/hostile.ts'
import {
  IN_PROCESS,
  inProcessFetch,
  type RawAnswer,
  type RawRequest,
} from '#test/support/in-process-api.ts'
import { schemaArbitrary } from '#test/support/schema-arbitrary.ts'
import { keyedOperations, kindOf, seedRecords } from '#test/support/seed-records.ts'

const KNOWN_IDS_MAX = 30

const document = openApiDocument()

/** An API, and what was left behind in its stores so far. */
export interface FuzzedApi {
  readonly send: (request: RawRequest) => Promise<RawAnswer>
  readonly writes: readonly string[]
}

/** What stands for the variables of paths, by the kind of record. */
const known = new Map<string, string[]>()
const knownOf = (kind: string) =>
  fc.nat().map((at) => {
    const ids = known.get(kind) ?? ['none']
    return ids[at % ids.length] ?? ''
  })
const fields = {
  assistant_id: knownOf('assistants'),
  inbound_assistant_id: fc.option(knownOf('assistants')),
  connection_id: knownOf('connections'),
  scopes: fc.constant(['calls:read']),
  calling_window_start_time: fc.constantFrom('9am', '10:00'),
  calling_window_end_time: fc.constantFrom('6:30pm', '18:00', '2am'),
  timezone: fc.constantFrom('Europe/Paris', 'UTC'),
  max_concurrent_calls: fc.integer({ min: 1, max: 10 }),
  // Contacts come from one place only; mostly the request itself.
  contacts_upload_id: fc.oneof(
    { arbitrary: fc.constant(null), weight: 9 },
    { arbitrary: knownOf('campaigns'), weight: 1 },
  ),
  to_phone_number: fc.constantFrom('+12025550101', '+12025550102', 'nobody'),
}

/** A campaign runs when its rows are stored, which no request does. */
const NEED_RUNNING_CAMPAIGN: ReadonlySet<OperationId> = new Set(['pauseCampaign', 'resumeCampaign'])

/** What ends things comes last: the others need something that lives. */
const ENDS = [/^cancel/, /^(delete|revoke)/]
const rankOf = (id: OperationId) => ENDS.findIndex((pattern) => pattern.test(id))
const inOrder = keyedOperations.toSorted(([a], [b]) => rankOf(a) - rankOf(b))

/**
 * Random requests to every operation, at least `requestsMin` together: whatever it is sent, each
 * answers with what its document says, and keeps nothing of what it refuses. One for each test file.
 */
export function fuzzSuite(open: () => Promise<FuzzedApi>, requestsMin: number): void {
  const perOperation = Math.ceil(requestsMin / keyedOperations.length)
  let api: FuzzedApi
  let sent = 0
  const answered = new Set<OperationId>()
  const needsSuccess = (id: OperationId) =>
    perOperation >= REQUESTS_FOR_SUCCESS && !answered.has(id) && !NEED_RUNNING_CAMPAIGN.has(id)

  beforeAll(async () => {
    api = await open()
    const fetch = inProcessFetch((request) => api.send(request))
    const seeded = await seedRecords(apiClient({ baseUrl: IN_PROCESS, key: KEYS.live, fetch }), 1)
    for (const [kind, id] of Object.entries(seeded)) known.set(kind, [id])
  })
  afterAll(() => {
    expect(sent).toBeGreaterThanOrEqual(requestsMin)
    // Whoever was never answered with a success was not looked into.
    expect(keyedOperations.map(([id]) => id).filter(needsSuccess)).toEqual([])
    expect({}).not.toHaveProperty('polluted')
  })

  test.each(inOrder)('%s answers whatever it is sent', { timeout: 120_000 }, async (id, route) => {
    const described = document.paths[route.path]?.[route.method.toLowerCase()]
    if (described === undefined) throw new Error(`${id} is not in the document`)
    const check = async (request: RawRequest) => {
      sent += 1
      const before = api.writes.length
      const answer = await api.send(keyed(request))
      expectDescribed(described, route, answer)
      expect(answer.status < 400 ? [] : api.writes.slice(before)).toEqual([])
      if (answer.status !== 200) return
      answered.add(id)
      remember(kindOf(route), answer)
    }
    const property = fc.asyncProperty(requests(route, described), check)
    for (let round = 0; round === 0 || (round < ROUNDS_MAX && needsSuccess(id)); round += 1) {
      await fc.assert(property, { numRuns: perOperation })
    }
  })
}

/** Among so many, some are what nearly every operation takes; the others are asked again. */
const REQUESTS_FOR_SUCCESS = 400
const ROUNDS_MAX = 10

function keyed(request: RawRequest): RawRequest {
  return { ...request, headers: { authorization: `Bearer ${KEYS.live}`, ...request.headers } }
}

function requests(route: Route, described: OpenApiOperation): fc.Arbitrary<RawRequest> {
  const schema = described.requestBody?.content['application/json']?.schema
  const valid =
    schema === undefined ? fc.jsonValue() : schemaArbitrary(schema, { document, fields })
  const variables = route.path.match(/\{\w+\}/g) ?? []
  const target = fc
    .tuple(
      fc.array(hostileText(knownOf(kindOf(route))), {
        minLength: variables.length,
        maxLength: variables.length,
      }),
      queries(described, knownOf(kindOf(route))),
    )
    .map(([values, query]) => {
      let next = 0
      const path = route.path.replaceAll(/\{\w+\}/g, () => values[next++] || 'x')
      return query === '' ? path : `${path}?${query}`
    })
  return fc
    .record({ target, content: hostileBody(valid), headers })
    .map(({ target: place, content, headers: more }) => ({
      method: route.method,
      target: place,
      body: route.method === 'GET' ? '' : content.body,
      headers: {
        ...more,
        ...(content.contentType !== null && { 'content-type': content.contentType }),
      },
    }))
}

/** Most keys are new ones, some were used with another request, some are none. */
const idempotencyKey = fc.oneof(
  { arbitrary: fc.uuid(), weight: 7 },
  { arbitrary: fc.constantFrom('k1', '"k 2"'), weight: 1 },
  { arbitrary: fc.constantFrom('', 'a b', 'ü', 'x'.repeat(300)), weight: 1 },
)

const headers = fc.record(
  {
    'idempotency-key': idempotencyKey,
    'x-request-id': fc.constantFrom('r-1', 'ü', 'x'.repeat(200)),
    'accept-encoding': fc.constant('gzip'),
  },
  { requiredKeys: [] },
)

/** Half of them as the document describes them. */
function queries(described: OpenApiOperation, anyText: fc.Arbitrary<string>) {
  const parameters = (described['parameters'] as QueryParameter[]).filter(
    (parameter) => parameter.in === 'query',
  )
  const names = parameters.map(({ name }) => name)
  const valid = fc
    .record(
      Object.fromEntries(
        parameters.map(({ name, schema }) => [name, schemaArbitrary(schema, { document })]),
      ),
      { requiredKeys: parameters.flatMap(({ name, required }) => (required ? [name] : [])) },
    )
    .map((values) => {
      const given = Object.entries(values).filter(([, value]) => value !== null)
      const pairs = given.map(([name, value]): [string, string] => [name, String(value)])
      return new URLSearchParams(pairs).toString()
    })
  return fc.oneof(valid, hostileQuery(names, anyText))
}

interface QueryParameter {
  readonly in?: string
  readonly name: string
  readonly required: boolean
  readonly schema: JsonSchema
}

function expectDescribed(described: OpenApiOperation, route: Route, answer: RawAnswer): void {
  expect(Object.keys(described.responses)).toContain(String(answer.status))
  expect(answer.status).toBeLessThan(500)
  expect(answer.headers['x-request-id']).toMatch(/^[\w.:=+/-]{1,128}$/)
  const body: unknown = JSON.parse(answer.text)
  if (answer.status === 200) {
    expect(answer.headers['content-type']).toBe('application/json')
    expect(route.response?.safeParse(body).error).toBeUndefined()
  } else {
    expect(answer.headers['content-type']).toBe('application/problem+json')
    expect(problemSchema.parse(body).status).toBe(answer.status)
  }
}

/** What was created is asked for later; the first id of an answer is that of the record. */
function remember(kind: string, answer: RawAnswer): void {
  const ids = known.get(kind)
  const [id] = answer.text.match(/(?<="id":")[a-z]{3,5}_[0-9A-Z]{26}(?=")/) ?? []
  if (id !== undefined && ids !== undefined && ids.length < KNOWN_IDS_MAX) ids.push(id)
}
