import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { problemSchema } from '#shared/contract/problem.ts'
import type { SpeechEvent } from '#shared/domain/transcript.ts'
import { anAttempt } from '#test/support/an-attempt.ts'
import { KEYS } from '#test/support/api-ports.ts'
import {
  type Api,
  type ApiAnswer,
  type ApiRequestOptions,
  fieldErrorsOf,
  startApi,
} from '#test/support/api-server.ts'

let api: Api
beforeAll(async () => void (api = await startApi()))
afterAll(() => api.stop())

const post = (options: ApiRequestOptions) => api.request('POST', '/v1/assistants', options)

function expectProblem(answer: ApiAnswer, status: number, code: string): void {
  const problem = problemSchema.parse(answer.body)
  expect([answer.status, problem.status, problem.code]).toEqual([status, status, code])
  expect(problem.type).toBe(`urn:parley:problem:${code}`)
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(answer.headers.get('x-request-id')).toBe(problem.request_id)
}

describe('authentication', () => {
  test.each<[name: string, key: string | null, reads: number]>([
    ['no key', null, 0],
    ['no key at all', 'hello', 0],
    ['a mistyped key', KEYS.test.replace('1', '2'), 0],
    ['an unknown key', KEYS.unknown, 1],
    ['an expired key', KEYS.expired, 1],
    ['a revoked key', KEYS.revoked, 1],
  ])('%s is a 401', async (_name, key, reads) => {
    const before = api.ports.seen.keyReads
    const answer = await api.request('GET', '/v1/call/x', { key })
    expectProblem(answer, 401, 'invalid_api_key')
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    expect(api.ports.seen.keyReads - before).toBe(reads)
  })

  test.each(['Basic x', 'Bearer', `Token ${KEYS.test}`, `Bearer ${KEYS.test} ${KEYS.test}`])(
    'Authorization: %s is a 401',
    async (authorization) => {
      expectProblem(await post({ key: null, headers: { authorization } }), 401, 'invalid_api_key')
    },
  )

  test('comes before everything that could tell what exists', async () => {
    const answer = await post({ key: KEYS.revoked, text: '{' })
    expectProblem(answer, 401, 'invalid_api_key')
  })

  test.each<[method: string, path: string]>([
    ['POST', '/v1/assistants'],
    ['POST', '/v1/call'],
    ['POST', '/v1/call/x/pause'],
    ['POST', '/v1/call/x/resume'],
    ['POST', '/v1/call/x/cancel'],
  ])('%s %s is a 403 with a key that only reads', async (method, path) => {
    const answer = await api.request(method, path, { key: KEYS.readOnly, json: {} })
    expectProblem(answer, 403, 'insufficient_scope')
  })

  test.each(['/v1/assistants/x', '/v1/call/x'])('a key that only reads reads %s', async (path) => {
    const answer = await api.request('GET', path, { key: KEYS.readOnly })
    expectProblem(answer, 404, 'not_found')
  })
})

describe('addresses and methods', () => {
  test.each(['/', '/v1', '/v1/', '/v2/call', '/call', '/v1/nothing', '/v1//call', '/v1/call/'])(
    '%s is a 404',
    async (path) => {
      expectProblem(await api.request('POST', path, { json: {} }), 404, 'not_found')
    },
  )

  test.each<[method: string, path: string, allow: string]>([
    ['PUT', '/v1/assistants', 'GET, POST'],
    ['DELETE', '/v1/call', 'POST'],
    ['OPTIONS', '/v1/call/x', 'GET'],
    ['GET', '/v1/call/x/cancel', 'POST'],
    ['GET', '/v1/carrier-events/one', 'POST'],
  ])('%s %s is a 405', async (method, path, allow) => {
    const answer = await api.request(method, path)
    expectProblem(answer, 405, 'method_not_allowed')
    expect(answer.headers.get('allow')).toBe(allow)
  })
})

describe('request bodies', () => {
  test.each(['{', '', '{"name": NaN}', "{'a': 1}", '\u{feff}'])('%j is a 400', async (text) => {
    expectProblem(await post({ text }), 400, 'malformed_request')
  })

  test('what is no UTF-8 is a 400', async () => {
    const text = new Uint8Array([0x22, 0xff, 0x22])
    expectProblem(await post({ text }), 400, 'malformed_request')
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])(
    'content type %j is a 415',
    async (type) => {
      const answer = await post({ text: '{}', headers: { 'content-type': type } })
      expectProblem(answer, 415, 'unsupported_media_type')
    },
  )

  test('a packed body is a 415, and one that says that it is not packed is taken', async () => {
    const json = { name: 'A', prompt: 'P' }
    const packed = await post({ json, headers: { 'content-encoding': 'gzip' } })
    expectProblem(packed, 415, 'unsupported_media_type')
    expect((await post({ json, headers: { 'content-encoding': 'identity' } })).status).toBe(200)
  })

  test.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/merge+json'])(
    'content type %j is read',
    async (type) => {
      const answer = await post({ text: '{}', headers: { 'content-type': type } })
      expectProblem(answer, 422, 'validation_failed')
    },
  )

  test('the largest body is read, one byte more is a 413', async () => {
    const bodyOf = (bytes: number) => {
      const empty = JSON.stringify({ name: 'A', prompt: '' })
      return JSON.stringify({ name: 'A', prompt: 'x'.repeat(bytes - empty.length) })
    }
    expect((await post({ text: bodyOf(256 * 1024) })).status).toBe(200)
    expectProblem(await post({ text: bodyOf(256 * 1024 + 1) }), 413, 'content_too_large')
  })

  test('a doubled name counts as its last value', async () => {
    const { body } = await post({ text: '{"name":"A","prompt":"P","name":"B"}' })
    expect(body.assistant.name).toBe('B')
  })

  const call = (fields: string) =>
    api.request('POST', '/v1/call', {
      text: `{"phone_number":"+12025550100","assistant":{"prompt":"P"},${fields}}`,
    })

  test('the names of what every object has are names like any other', async () => {
    const given = { constructor: 'c', toString: 't', hasOwnProperty: 'h', valueOf: '' }
    const fields = { metadata: given, prompt_variables: given }
    const { status, body } = await call(JSON.stringify(fields).slice(1, -1))
    expect([status, body.call.metadata]).toEqual([200, given])
    const read = await api.request('GET', `/v1/call/${body.call.id}`)
    expect(read.body.call.prompt_variables).toEqual(given)
  })

  /** What could not be kept, and where it stands. */
  const UNKEEPABLE: readonly [fields: string, pointer: string, code: string][] = [
    ['"metadata":{"__proto__":"p","a":"b"}', '/metadata/__proto__', 'unusable_name'],
    ['"prompt_variables":{"\\u005f_proto__":""}', '/prompt_variables/__proto__', 'unusable_name'],
    ['"__proto__":{"x":1}', '/__proto__', 'unusable_name'],
    ['"metadata":{"a":"\\ud800"}', '/metadata/a', 'invalid_text'],
    ['"metadata":{"\\udc00/":"a"}', '/metadata/\udc00~1', 'invalid_text'],
  ]
  test.each(UNKEEPABLE)('%s is refused, and not lost', async (fields, pointer, code) => {
    expect(fieldErrorsOf(await call(fields))).toEqual([[pointer, code]])
    expect({}).not.toHaveProperty('x')
  })

  test('a whole surrogate pair is text', async () => {
    const { body } = await call('"metadata":{"\\ud83d\\ude4b":"\\ud83d\\ude4b"}')
    expect(body.call.metadata).toEqual({ '🙋': '🙋' })
  })

  test('what is nested too deep for anything is refused', async () => {
    const text = `{"name":"\\u0041","prompt":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expectProblem(await post({ text }), 422, 'validation_failed')
  })

  test('an operation without a body ignores one', async () => {
    const answer = await api.request('POST', '/v1/call/x/pause', { text: '{' })
    expectProblem(answer, 404, 'not_found')
  })
})

describe('request ids', () => {
  const ask = (id: string) => api.request('GET', '/v1/call/x', { headers: { 'x-request-id': id } })

  test('a well-formed one is taken', async () => {
    const answer = await ask('order-7_a.b:c')
    expectProblem(answer, 404, 'not_found')
    expect(answer.headers.get('x-request-id')).toBe('order-7_a.b:c')
  })

  test.each(['x'.repeat(129), 'a b', '<script>'])('%j is replaced', async (id) => {
    const answer = await ask(id)
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('a success has one too', async () => {
    const answer = await post({ json: { name: 'A', prompt: 'P' } })
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(answer.headers.get('content-type')).toBe('application/json')
  })
})

describe('faults', () => {
  test('are answered with a 500 that tells nothing, and logged with what happened', async () => {
    const broken = await startApi()
    Object.assign(broken.ports.assistants, {
      find: () => Promise.reject(new Error('table secret-table is gone')),
    })
    const answer = await broken.request('GET', '/v1/assistants/x')
    await broken.stop()
    expectProblem(answer, 500, 'internal_error')
    expect(JSON.stringify(answer.body)).not.toMatch(/secret|Error|\.ts/)
    expect(broken.ports.seen.logged).toMatchObject([
      {
        message: 'A request failed',
        fields: {
          routeKey: 'GET /assistants/{id}',
          requestId: answer.body.request_id,
          error: { message: 'table secret-table is gone' },
        },
      },
    ])
  })
})

test('a call so long that Lambda could not answer it plain is answered, packed', async () => {
  const json = { phone_number: '+12025550100', assistant: { prompt: 'P' } }
  const { id } = (await api.request('POST', '/v1/call', { json })).body.call
  const llmSystemPrompt = 'You are Ava. '.repeat(4_000)
  const turns = Array.from({ length: 150 }, (_, index) => ({
    ...AGENT_TURN,
    id: `sp_${index}`,
    llmSystemPrompt,
  }))
  const after = anAttempt({ orderId: id, speechEvents: turns })
  await api.ports.calls.save({ attempt: { before: null, after }, effects: [] })
  const headers = { 'accept-encoding': 'identity' }
  const answer = await api.request('GET', `/v1/call/${id}`, { headers })
  expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'gzip'])
  const shown = answer.body.call.last_call_attempt.speech_events
  expect([shown.length, shown[149].llm_system_prompt]).toEqual([150, llmSystemPrompt])
})

const AGENT_TURN: SpeechEvent = {
  id: 'sp_0',
  isRealTurn: true,
  speaker: 'agent',
  startedSpeakingAtMs: 0,
  stoppedSpeakingAtMs: 900,
  transcript: 'Hello',
  sttTranscriptionDelayMs: null,
  llmSystemPrompt: null,
  llmTtftMs: 200,
  llmWinnerModel: 'm',
  ttsTtfbMs: 90,
  wasCut: false,
}
