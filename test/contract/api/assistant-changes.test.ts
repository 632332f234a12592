import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { assistantFields } from '#shared/contract/assistant-fields.ts'
import { assistantSchema } from '#shared/contract/assistant.ts'
import { KEYS, ORGANIZATION } from '#test/support/api-ports.ts'
import { type Api, fieldErrorsOf, startApi } from '#test/support/api-server.ts'
import { FULL_ASSISTANT } from '#test/support/full-assistant.ts'

let api: Api
beforeAll(async () => void (api = await startApi()))
afterAll(() => api.stop())
/** For tests that look at all assistants. */
async function startAgain(): Promise<void> {
  await api.stop()
  api = await startApi()
}

// oxlint-disable-next-line typescript/no-explicit-any -- as it came over the wire
async function create(fields: object = {}): Promise<any> {
  const json = { name: 'A', prompt: 'P', ...fields }
  const { status, body } = await api.request('POST', '/v1/assistants', { json })
  expect(status).toBe(200)
  return body.assistant
}
const patch = (id: string, json: unknown) => api.request('PATCH', `/v1/assistants/${id}`, { json })
const read = async (id: string) => (await api.request('GET', `/v1/assistants/${id}`)).body
const remove = (id: string) => api.request('DELETE', `/v1/assistants/${id}`)
const place = (assistantId: string, promptVariables: object = {}) =>
  api.request('POST', '/v1/call', {
    json: {
      phone_number: '+12025550100',
      assistant_id: assistantId,
      prompt_variables: promptVariables,
    },
  })

const LLM = {
  type: 'custom',
  api_key: 'sk-abcdefgh1234',
  api_url: 'https://llm.example/v1',
  model_name: 'm',
}
const TOOL = {
  name: 'a_tool',
  description: 'd',
  method: 'POST',
  url: 'https://example.com',
  headers: [{ key: 'X-Token', value: 'Bearer abcdefgh5678' }],
}
/** An assistant as it is stored, with its secrets. */
async function stored(id: string) {
  const found = await api.ports.assistants.find(ORGANIZATION, id)
  if (found === null) throw new Error('no assistant')
  return found
}

describe('spec 4.1 GET /assistants', () => {
  beforeEach(startAgain)

  test('shows every one, newest first, each as GET /assistants/{id} shows it', async () => {
    const made = [await create({ name: 'one' }), await create(FULL_ASSISTANT)]
    const { status, body } = await api.request('GET', '/v1/assistants')
    expect([status, body]).toEqual([200, { assistants: made.toReversed(), next_cursor: null }])
  })

  test('is paged by limit and cursor without losing or repeating one', async () => {
    for (const name of ['1', '2', '3', '4', '5']) await create({ name })
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const { body } = await api.request('GET', `/v1/assistants?limit=2${next}`)
      expect(body.assistants.length).toBeLessThanOrEqual(2)
      seen.push(...body.assistants.map(({ name }: { name: string }) => name))
      cursor = body.next_cursor
    } while (cursor !== null)
    expect(seen).toEqual(['5', '4', '3', '2', '1'])
  })

  test('answers at most 5 MB at once, and the rest behind a cursor', async () => {
    const prompt = 'x'.repeat(250_000)
    for (let count = 0; count < 24; count += 1) await create({ prompt })
    const first = await api.request('GET', '/v1/assistants')
    expect(JSON.stringify(first.body).length).toBeLessThan(5.5 * 1024 * 1024)
    const path = `/v1/assistants?cursor=${first.body.next_cursor}`
    const rest = await api.request('GET', path)
    const ids = [...first.body.assistants, ...rest.body.assistants].map(({ id }) => id)
    expect([new Set(ids).size, ids.length, rest.body.next_cursor]).toEqual([24, 24, null])
  })

  test.each([
    ['limit=0', '/limit'],
    ['limit=1001', '/limit'],
    ['limit=x', '/limit'],
    ['limit=1.5', '/limit'],
    ['cursor=', '/cursor'],
    ['limits=1', '/limits'],
  ])('?%s is refused', async (query, pointer) => {
    const answer = await api.request('GET', `/v1/assistants?${query}`)
    expect(fieldErrorsOf(answer).map(([place_]) => place_)).toEqual([pointer])
  })
})

describe('spec 4.1 PATCH /assistants/{id}', () => {
  test.each(Object.entries(FULL_ASSISTANT))('spec 2.1 %s changes alone', async (name, value) => {
    const before = await create()
    const { status, body } = await patch(before.id, { [name]: value })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['assistant'])
    const { [name]: changed, ...rest } = body.assistant
    const { [name]: _, ...unchanged } = before
    expect(rest).toEqual(unchanged)
    if (name === 'faq_items') expect(changed).toMatchObject(value as object[])
    else expect(changed).toEqual(value)
    expect(await read(before.id)).toEqual(body.assistant)
  })

  const nullable = Object.entries(assistantFields)
    .filter(([, schema]) => schema.safeParse(null).success)
    .map(([name]) => name)
  test.each(nullable)('spec 2.1 %s: null clears it', async (name) => {
    const before = await create(FULL_ASSISTANT)
    const { body } = await patch(before.id, { [name]: null })
    expect(body.assistant).toEqual({ ...before, [name]: null })
  })

  const notNullable = Object.keys(assistantFields).filter((name) => !nullable.includes(name))
  test.each([...notNullable, 'faq_items'])('spec 2.1 %s cannot be null', async (name) => {
    const before = await create(FULL_ASSISTANT)
    expect(fieldErrorsOf(await patch(before.id, { [name]: null }))[0]?.[0]).toBe(`/${name}`)
    expect(await read(before.id)).toEqual(before)
  })

  test('rule 1: a body without fields changes nothing, and applies no default', async () => {
    const before = await create(FULL_ASSISTANT)
    const { status, body } = await patch(before.id, {})
    expect([status, body.assistant]).toEqual([200, before])
  })

  test('an answer that is sent back as it is changes nothing', async () => {
    const before = await create({ ...FULL_ASSISTANT, llm_model: LLM, custom_tools: [TOOL] })
    const { status, body } = await patch(before.id, before)
    expect(status).toBe(200)
    const { faq_items: _1, ...one } = before
    const { faq_items: _2, ...other } = body.assistant
    expect(other).toEqual(one)
    expect(await stored(before.id)).toMatchObject({
      llmModel: { apiKey: LLM.api_key },
      customTools: [{ headers: TOOL.headers }],
    })
  })

  test('objects replace whole, and fill their own gaps', async () => {
    const { id } = await create(FULL_ASSISTANT)
    const { body } = await patch(id, { voice: { id: 'v', provider: 'voice_provider_1' } })
    expect(body.assistant.voice).toEqual({
      id: 'v',
      provider: 'voice_provider_1',
      model: 'tts_model_3',
      speed: 1,
      volume: 1,
    })
  })

  test('rule 2: faq_items replaces all items under new ids', async () => {
    const before = await create(FULL_ASSISTANT)
    const items = [...before.faq_items, { question: 'When?', answer: 'Now.' }]
    const { body } = await patch(before.id, { faq_items: items })
    const { faq_items: after } = body.assistant
    expect(after).toMatchObject([{ question: 'Where?' }, { question: 'When?' }])
    const ids = [...before.faq_items, ...after].map(({ id }) => id)
    expect(new Set(ids).size).toBe(3)
    expect((await patch(before.id, { faq_items: [] })).body.assistant.faq_items).toEqual([])
  })

  test('updated_at moves, created_at stays', async () => {
    const { id } = await create()
    const before = await stored(id)
    const earlier = { ...before, createdAt: 5, updatedAt: 5, version: before.version + 1 }
    await api.ports.assistants.save({ before, after: earlier })
    const { body } = await patch(id, { name: 'B' })
    expect(body.assistant).toMatchObject({
      created_at: '1970-01-01T00:00:00.005Z',
      updated_at: '2026-01-14T12:00:00.000Z',
    })
  })

  test('concurrent changes of different fields all survive', async () => {
    const { id } = await create()
    const { faq_items: _, ...fields } = FULL_ASSISTANT
    const answers = await Promise.all(
      Object.entries(fields).map(([name, value]) => patch(id, { [name]: value })),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(await read(id)).toMatchObject(fields)
  })

  test('a field that is wrong is named, and nothing is stored', async () => {
    const before = await create()
    const answer = await patch(before.id, { name: 'B', voice: { id: '', provider: 'x' } })
    expect(fieldErrorsOf(answer).map(([pointer]) => pointer)).toEqual(['/voice/provider'])
    const unknown = await patch(before.id, { nmae: 'B' })
    expect(fieldErrorsOf(unknown)).toEqual([['/nmae', 'unknown_field']])
    const insecure = await patch(before.id, { webhook_url: 'http://example.com' })
    expect(fieldErrorsOf(insecure)).toEqual([['/webhook_url', 'https_required']])
    expect(await read(before.id)).toEqual(before)
  })
})

describe('secrets (decisions 2)', () => {
  test('spec 2.3 llm_model.api_key: its mask keeps it, another key replaces it', async () => {
    const { id, llm_model: masked } = await create({ llm_model: LLM })
    expect(masked.api_key).toBe('…1234')
    await patch(id, { llm_model: { ...masked, model_name: 'n' } })
    expect((await stored(id)).llmModel).toMatchObject({ apiKey: LLM.api_key, modelName: 'n' })
    await patch(id, { llm_model: { ...masked, api_key: 'sk-another-key' } })
    expect((await stored(id)).llmModel).toMatchObject({ apiKey: 'sk-another-key' })
  })

  test('spec 2.4 headers: the mask of one keeps it, others are set', async () => {
    const { id, custom_tools: tools } = await create({ custom_tools: [TOOL] })
    expect(tools[0].headers).toEqual([{ key: 'X-Token', value: '…5678' }])
    const headers = [{ key: 'X-New', value: 'new-secret-value' }, ...tools[0].headers]
    const other = { ...TOOL, name: 'other_tool', headers: [] }
    await patch(id, { custom_tools: [other, { ...tools[0], headers }] })
    expect((await stored(id)).customTools?.[1]?.headers).toEqual([
      { key: 'X-New', value: 'new-secret-value' },
      ...TOOL.headers,
    ])
  })

  test.each([
    ['of another key', { llm_model: { ...LLM, api_key: '…9999' } }, '/llm_model/api_key'],
    [
      'of another header',
      { custom_tools: [{ ...TOOL, headers: [{ key: 'X-Other', value: '…5678' }] }] },
      '/custom_tools/0/headers/0/value',
    ],
    [
      'of another tool',
      {
        custom_tools: [{ ...TOOL, name: 'b_tool', headers: [{ key: 'X-Token', value: '…5678' }] }],
      },
      '/custom_tools/0/headers/0/value',
    ],
  ])('the mask %s is refused instead of stored', async (_, change, pointer) => {
    const { id } = await create({ llm_model: LLM, custom_tools: [TOOL] })
    const before = await stored(id)
    expect(fieldErrorsOf(await patch(id, change))).toEqual([[pointer, 'masked_secret']])
    expect(await stored(id)).toEqual(before)
    const created = await api.request('POST', '/v1/assistants', {
      json: { name: 'A', prompt: 'P', ...change },
    })
    expect(fieldErrorsOf(created)).toEqual([[pointer, 'masked_secret']])
  })
})

describe('spec 4.1 rule 3: unpatchedCallsNotice', () => {
  test('counts the calls that an edit does not reach, and names what they lack', async () => {
    const { id } = await create({ prompt: 'Hello {{first_name}}' })
    const calls = [
      await place(id, { first_name: 'Sam', day: 'Monday' }),
      await place(id, { first_name: 'Kim' }),
      await place(id),
    ].map(({ body }) => body.call.id)
    const { body } = await patch(id, { prompt: '{{first_name}}, {{day}}', name: 'New' })
    expect(body.unpatchedCallsNotice).toEqual({ count: 2, variables: ['day'] })
    const prompts = []
    for (const call of calls) {
      const answer = await api.request('GET', `/v1/call/${call}`)
      prompts.push(answer.body.call.assistant.prompt)
    }
    expect(prompts).toEqual([
      '{{first_name}}, {{day}}',
      'Hello {{first_name}}',
      'Hello {{first_name}}',
    ])
  })

  test('another templated field counts too', async () => {
    const { id } = await create()
    await place(id)
    const { body } = await patch(id, { voicemail_message: 'Dear {{first_name}}' })
    expect(body.unpatchedCallsNotice).toEqual({ count: 1, variables: ['first_name'] })
  })

  test('is absent when every call is reached, or has ended', async () => {
    const { id } = await create()
    const { body: placed } = await place(id)
    expect((await patch(id, { prompt: 'Q' })).body).not.toHaveProperty('unpatchedCallsNotice')
    await api.request('POST', `/v1/call/${placed.call.id}/cancel`)
    expect((await patch(id, { prompt: '{{a}}' })).body).not.toHaveProperty('unpatchedCallsNotice')
  })
})

describe('spec 4.1 DELETE /assistants/{id}', () => {
  beforeEach(startAgain)

  test('hides it from everybody', async () => {
    const { id } = await create()
    const { status, body } = await remove(id)
    expect([status, body]).toEqual([200, { success: true }])
    expect((await api.request('GET', '/v1/assistants')).body.assistants).toEqual([])
    const answers = [
      await api.request('GET', `/v1/assistants/${id}`),
      await patch(id, {}),
      await remove(id),
      await api.request('POST', `/v1/assistants/${id}/clone`),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404])
    expect((await place(id)).status).toBe(422)
  })

  test('is refused while a call is not finished, which keeps it afterwards', async () => {
    const { id } = await create()
    const { body } = await place(id)
    const refusal = await remove(id)
    expect([refusal.status, refusal.body.code]).toEqual([409, 'assistant_in_use'])
    await api.request('POST', `/v1/call/${body.call.id}/cancel`)
    expect((await remove(id)).status).toBe(200)
    const call = await api.request('GET', `/v1/call/${body.call.id}`)
    expect(call.body.call.assistant.id).toBe(id)
  })
})

describe('spec 4.1 POST /assistants/{id}/clone', () => {
  test('copies everything, secrets too, under ids of its own', async () => {
    const original = await create({ ...FULL_ASSISTANT, llm_model: LLM, custom_tools: [TOOL] })
    await patch(original.id, { name: 'Ava' })
    const { status, body } = await api.request('POST', `/v1/assistants/${original.id}/clone`)
    expect(status).toBe(200)
    const copy = assistantSchema.parse(body.assistant)
    expect(copy).toEqual({
      ...original,
      id: expect.not.stringMatching(original.id),
      name: 'Ava (copy)',
      faq_items: [
        { ...original.faq_items[0], id: expect.not.stringMatching(original.faq_items[0].id) },
      ],
    })
    expect(await stored(copy.id)).toMatchObject({ version: 1, llmModel: { apiKey: LLM.api_key } })
    await patch(copy.id, { prompt: 'Another' })
    expect((await read(original.id)).prompt).toBe(original.prompt)
  })
})

describe('isolation', () => {
  test.each([
    ['GET', '', undefined],
    ['PATCH', '', { name: 'Mine' }],
    ['DELETE', '', undefined],
    ['POST', '/clone', undefined],
  ])('%s /assistants/{id}%s of another organization is a 404', async (method, suffix, json) => {
    const before = await create()
    const path = `/v1/assistants/${before.id}${suffix}`
    const answer = await api.request(method, path, { key: KEYS.other, json })
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
    expect(await read(before.id)).toEqual(before)
    const listed = await api.request('GET', '/v1/assistants', { key: KEYS.other })
    expect(listed.body.assistants).toEqual([])
  })

  test.each([
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/clone'],
  ])('%s /assistants/{id}%s needs assistants:write', async (method, suffix) => {
    const { id } = await create()
    const path = `/v1/assistants/${id}${suffix}`
    const answer = await api.request(method, path, { key: KEYS.readOnly, json: {} })
    expect([answer.status, answer.body.code]).toEqual([403, 'insufficient_scope'])
  })
})
