import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { ASSISTANT_DEFAULTS } from '#shared/contract/assistant.ts'
import { matchRoute } from '#shared/contract/match-route.ts'
import type { JsonSchema } from '#shared/contract/openapi-schemas.ts'
import { openApiDocument, type OpenApiDocument } from '#shared/contract/openapi.ts'
import { PROBLEMS } from '#shared/contract/problem.ts'
import { BASE_PATH, type Route } from '#shared/contract/route.ts'
import type { OperationId } from '#shared/contract/routes.ts'
import { apiClient, askFor, succeeded } from '#test/support/api-client.ts'
import { KEYS } from '#test/support/api-ports.ts'
import { type Api, startApi } from '#test/support/api-server.ts'
import { documentedFetch } from '#test/support/documented-fetch.ts'
import { FULL_ASSISTANT } from '#test/support/full-assistant.ts'
import { keyedOperations, kindOf, seedRecords } from '#test/support/seed-records.ts'

let api: Api
let document: OpenApiDocument
let schemas: Ajv2020
beforeAll(async () => {
  api = await startApi()
  document = (await api.request('GET', '/v1/openapi.json', { key: null })).body
  schemas = new Ajv2020({ strict: true, allErrors: true, validateFormats: false })
  schemas.addVocabulary(['components', 'discriminator'])
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
    expect(document).toEqual(JSON.parse(JSON.stringify(openApiDocument())))
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

  test.each([
    ['LlmModel', 'type', ['dedicated-instance', 'router', 'custom', 'realtime']],
    ['VoiceInput', 'provider', ['voice_provider_1', 'voice_provider_2', 'voice_provider_3']],
  ])('%s says by %s which of its variants, each with a name, is meant', (name, field, values) => {
    const { oneOf = [], ...more } = component(name)
    const { propertyName, mapping } = more['discriminator'] as {
      propertyName: string
      mapping: Record<string, string>
    }
    expect([propertyName, Object.keys(mapping)]).toEqual([field, values])
    expect(oneOf.map(({ $ref }) => $ref)).toEqual(Object.values(mapping))
    for (const [value, reference] of Object.entries(mapping)) {
      const variant = component(reference.split('/').at(-1) ?? '')
      expect(variant.properties?.[field]).toMatchObject({ const: value })
      expect(variant.required).toContain(field)
    }
  })

  test('no whole number is larger than its format', () => {
    const integers = JSON.stringify(document).matchAll(/\{[^{}]*"type":"integer"[^{}]*\}/g)
    const found = [...integers].map(([text]) => JSON.parse(text) as JsonSchema)
    const tooLarge = found.filter(
      ({ maximum, format }) => (maximum ?? Infinity) >= 2 ** 31 && format !== 'int64',
    )
    expect([found.length > 5, tooLarge]).toEqual([true, []])
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
    const seeing: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init)
      const { method, url } = new Request(input, init)
      const match = matchRoute({ method, path: new URL(url).pathname })
      if (match.kind === 'found' && answer.ok) seen.push(match.id)
      return answer
    }
    const baseUrl = `http://127.0.0.1:${api.port}${BASE_PATH}`
    const client = apiClient({ baseUrl, key: KEYS.live, fetch: seeing })
    const ids = await seedRecords(client, 1)
    const readings = keyedOperations.filter(([, { method }]) => method === 'GET')
    for (const [id, route] of readings) {
      const path = Object.fromEntries(
        (route.path.match(/(?<=\{)\w+/g) ?? []).map((name) => [name, ids[kindOf(route)] ?? '']),
      )
      const query = id === 'listCampaignRows' ? { page: 1, page_size: 10 } : {}
      await succeeded(askFor(client, id, { path, query }))
    }
    const creations = keyedOperations.filter(([id]) => /^create(?!CampaignUpload)/.test(id))
    const missed = [...readings, ...creations].filter(([id]) => !seen.includes(id))
    expect(missed.map(([id]) => id)).toEqual([])
  })

  const problem = (changes: object) => ({
    type: 'urn:parley:problem:not_found',
    title: 'T',
    status: 404,
    detail: 'D',
    instance: '/v1/call/x',
    code: 'not_found',
    request_id: 'r-1',
    ...changes,
  })
  const answered = (status: number, body: unknown, headers: Record<string, string> = {}) =>
    documentedFetch(() =>
      Promise.resolve(
        new Response(JSON.stringify(body), {
          status,
          headers: {
            'content-type': 'application/problem+json',
            'x-request-id': 'r-1',
            ...headers,
          },
        }),
      ),
    )('http://test/v1/call/x')
  test('that the document does not describe are found by the check of all tests', async () => {
    await expect(answered(404, problem({}))).resolves.toBeDefined()
    await expect(answered(404, problem({ surprise: 1 }))).rejects.toThrow('additional properties')
    await expect(answered(404, problem({ code: 1 }))).rejects.toThrow('code must be string')
    await expect(answered(418, problem({}))).rejects.toThrow('getCall is not as documented: it has')
    await expect(answered(200, {})).rejects.toThrow('its type is application/problem+json')
    const json = { 'content-type': 'application/json' }
    await expect(answered(200, {}, json)).rejects.toThrow("must have required property 'call'")
  })
})

function at(value: unknown, pointer = ''): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], value)
}

function alphabetic(one: string, other: string): number {
  return one < other ? -1 : 1
}
