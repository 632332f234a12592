import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { ASSISTANT_DEFAULTS } from '#shared/contract/assistant.ts'
import { matchRoute } from '#shared/contract/match-route.ts'
import type { JsonSchema } from '#shared/contract/openapi-schemas.ts'
import { openApiDocument, type OpenApiDocument } from '#shared/contract/openapi.ts'
import { PROBLEMS } from '#shared/contract/problem.ts'
import { BASE_PATH, type OperationId, type Route, routes } from '#shared/contract/routes.ts'
import { apiClient, httpTransport, type Transport } from '#test/support/api-client.ts'
import { KEYS } from '#test/support/api-ports.ts'
import { type Api, startApi } from '#test/support/api-server.ts'
import { FULL_ASSISTANT } from '#test/support/full-assistant.ts'
import { keyedOperations, kindOf, seedRecords } from '#test/support/seed-records.ts'

let api: Api
let document: OpenApiDocument
let schemas: Ajv2020
beforeAll(async () => {
  api = await startApi()
  document = (await api.request('GET', '/v1/openapi.json', { key: null })).body
  schemas = new Ajv2020({ strict: true, allErrors: true, validateFormats: false })
  schemas.addVocabulary(['components'])
  schemas.addSchema({ $id: 'document', components: document.components })
})
afterAll(() => api.stop())

const operationOf = (route: Route) => document.paths[route.path]?.[route.method.toLowerCase()]
const component = (name: string): JsonSchema => document.components.schemas[name] ?? {}

/** What ajv finds wrong with a value; references are those of the document. */
function errorsIn(schema: JsonSchema, value: unknown): unknown {
  const absolute = JSON.parse(
    JSON.stringify(schema).replaceAll('"#/components', '"document#/components'),
  )
  const check = schemas.compile(absolute)
  return check(value) ? null : check.errors
}

describe('the document', () => {
  test('is the one that is made of the table', () => {
    expect(document).toEqual(JSON.parse(JSON.stringify(openApiDocument('1.0.0'))))
    expect(document.openapi).toBe('3.1.1')
  })

  test('has every operation that takes a key, once, under its own name', () => {
    const described = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    )
    expect(described.toSorted(alphabetic)).toEqual(
      keyedOperations.map(([id]) => id).toSorted(alphabetic),
    )
  })

  test.each(keyedOperations)('%s: says what it needs and what it may answer', (_id, route) => {
    const operation = operationOf(route)
    expect(operation?.['security']).toEqual([{ ApiKey: [route.scope] }])
    expect(operation?.requestBody?.required).toBe(route.body === null ? undefined : true)
    const parameters = operation?.['parameters'] as { name?: string; in?: string; $ref?: string }[]
    const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => `{${name}}`)
    expect(inPath).toEqual(route.path.match(/\{\w+\}/g) ?? [])
    const takesKey = parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey') === true)
    expect(takesKey).toBe(route.method === 'POST' && route.scope?.split(':')[1] === 'write')
    for (const response of Object.values(operation?.responses ?? {}).slice(1)) {
      expect(response['$ref']).toMatch(/^#\/components\/responses\/Problem\d{3}$/)
    }
  })

  test('refers to nothing that is not there', () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)
    const missing = [...references].filter(([, pointer]) => at(document, pointer) === undefined)
    expect(missing).toEqual([])
  })

  test('names every problem code', () => {
    const responses = JSON.stringify(document.components['responses'])
    const codes = Object.keys(PROBLEMS).filter((code) => code !== 'method_not_allowed')
    expect(codes.filter((code) => !responses.includes(`\`${code}\``))).toEqual([])
  })

  test('has schemas of draft 2020-12 only, without keywords that mean nothing', () => {
    for (const schema of Object.values(document.components.schemas)) {
      expect(() => errorsIn(schema, {})).not.toThrow()
    }
  })

  test('gives the defaults of a new assistant, each of which its schema allows', () => {
    const { properties = {} } = component('CreateAssistantBody')
    for (const [name, value] of Object.entries(ASSISTANT_DEFAULTS)) {
      const property = properties[name] as JsonSchema
      expect([name, property.default]).toEqual([name, value])
      expect([name, errorsIn(property, value)]).toEqual([name, null])
    }
    const inline = component('CreateCallBody').properties?.['assistant'] as JsonSchema
    const delay = inline.properties?.['first_sentence_delay_ms'] as JsonSchema
    expect(delay.default).toBe(400)
  })

  test('a PATCH has no defaults of its own, which would undo what is stored', () => {
    const { properties = {} } = component('UpdateAssistantBody')
    const withDefault = Object.entries(properties).filter(
      ([, property]) => typeof property === 'object' && 'default' in property,
    )
    expect(withDefault).toEqual([])
  })

  test('describes a body with every field of an assistant, and refuses another field', () => {
    const body = component('CreateAssistantBody')
    expect(errorsIn(body, FULL_ASSISTANT)).toBeNull()
    expect(errorsIn(body, { ...FULL_ASSISTANT, surprise: 1 })).not.toBeNull()
    expect(errorsIn(body, { ...FULL_ASSISTANT, stt_model: 'other' })).not.toBeNull()
  })

  test('its examples are taken by the operations', () => {
    const examples = keyedOperations.flatMap(([id, route]) => {
      const content = operationOf(route)?.requestBody?.content['application/json']
      return content?.['example'] === undefined ? [] : [{ id, route, example: content['example'] }]
    })
    expect(examples.map(({ id }) => id)).toContain('createCall')
    for (const { id, route, example } of examples) {
      expect([id, route.body?.safeParse(example).error]).toEqual([id, undefined])
    }
  })
})

describe('answers', () => {
  test('are what the document says, for every reading and every creation', async () => {
    const seen: OperationId[] = []
    const http = httpTransport(`http://127.0.0.1:${api.port}/v1`)
    /** Checks on its way what the client is answered. */
    const transport: Transport = async (request) => {
      const answer = await http(request)
      const [id, route] = operationAt(request.method, request.target)
      const response = operationOf(route)?.responses[answer.status]
      const schema = response?.content?.['application/json']?.schema
      if (schema === undefined) throw new Error(`${id} answered ${answer.status}: ${answer.text}`)
      expect([id, errorsIn(schema, JSON.parse(answer.text))]).toEqual([id, null])
      seen.push(id)
      return answer
    }
    const client = apiClient(transport, KEYS.live)
    const ids = await seedRecords(client, 1)
    const readings = keyedOperations.filter(([, { method }]) => method === 'GET')
    for (const [, route] of readings) {
      const target = route.path.replaceAll(/\{\w+\}/g, encodeURIComponent(ids[kindOf(route)] ?? ''))
      const query = route.path.endsWith('/rows') ? '?page=1&page_size=10' : ''
      const headers = { authorization: `Bearer ${KEYS.live}` }
      await transport({ method: 'GET', target: target + query, headers })
    }
    const creations = keyedOperations.filter(([id]) => /^create(?!CampaignUpload)/.test(id))
    const missed = [...readings, ...creations].filter(([id]) => !seen.includes(id))
    expect(missed.map(([id]) => id)).toEqual([])
  })
})

function operationAt(method: string, target: string): [OperationId, Route] {
  const match = matchRoute({ method, path: BASE_PATH + target.split('?')[0] })
  if (match.kind !== 'found') throw new Error(`Nothing answers ${method} ${target}`)
  return [match.id, routes[match.id]]
}

function at(value: unknown, pointer = ''): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], value)
}

function alphabetic(one: string, other: string): number {
  return one < other ? -1 : 1
}
