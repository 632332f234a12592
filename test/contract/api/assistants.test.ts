import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { ASSISTANT_DEFAULTS, assistantSchema } from '#shared/contract/assistant.ts'
import { KEYS } from '#test/support/api-ports.ts'
import { type Api, fieldErrorsOf, startApi } from '#test/support/api-server.ts'
import { FULL_ASSISTANT } from '#test/support/full-assistant.ts'

let api: Api
beforeAll(async () => void (api = await startApi()))
afterAll(() => api.stop())

const create = (json: unknown) => api.request('POST', '/v1/assistants', { json })
const createWith = (fields: object) => create({ name: 'A', prompt: 'P', ...fields })
const read = (id: string) => api.request('GET', `/v1/assistants/${id}`)

describe('POST /assistants', () => {
  test('gives back every field as it was sent, and reads the same', async () => {
    const created = await create(FULL_ASSISTANT)
    expect(created.status).toBe(200)
    const { assistant } = created.body
    expect(assistantSchema.parse(assistant)).toEqual(assistant)
    expect(assistant).toEqual({
      ...FULL_ASSISTANT,
      faq_items: [
        {
          id: expect.stringMatching(/^faq_[0-9A-Z]{26}$/),
          question: 'Where?',
          answer: 'Here.',
          needs_human_answer: false,
          source: 'human',
        },
      ],
      id: expect.stringMatching(/^asst_[0-9A-Z]{26}$/),
      organization_id: 'org_1',
      pending_faq_count: 0,
      created_by: {
        id: 'user_1',
        email: 'ada@example.com',
        first_name: 'Ada',
        last_name: 'Lovelace',
      },
      created_at: '2026-01-14T12:00:00.000Z',
      updated_at: '2026-01-14T12:00:00.000Z',
    })
    const found = await read(assistant.id)
    expect([found.status, found.body]).toEqual([200, assistant])
  })

  test('the round trip above names every field of an assistant', () => {
    const serverSet = ['id', 'organization_id', 'pending_faq_count', 'created_by']
    expect(
      [...Object.keys(FULL_ASSISTANT), ...serverSet, 'created_at', 'updated_at'].toSorted(),
    ).toEqual(Object.keys(assistantSchema.shape).toSorted())
  })

  test('fills every field that is not named with its default', async () => {
    const { body } = await create({ name: 'A', prompt: 'P' })
    expect(body.assistant).toMatchObject({ ...ASSISTANT_DEFAULTS, name: 'A', prompt: 'P' })
    expect(body.assistant).toMatchObject({ first_sentence_delay_ms: 400, type: 'standalone' })
    const required = Object.keys(assistantSchema.shape).filter((key) => !(key in body.assistant))
    expect(required).toEqual(['transfer_phone_number'])
  })

  test('fills the gaps inside objects with their defaults', async () => {
    const { body } = await createWith({
      voice: { id: 'v', provider: 'voice_provider_1' },
      call_retry_config: {},
      stt_context: {},
      crm_a: { connection_id: 'c' },
      custom_tools: [
        { name: 'a_tool', description: 'd', method: 'GET', url: 'https://example.com' },
      ],
    })
    expect(body.assistant).toMatchObject({
      voice: { model: 'tts_model_3', speed: 1, volume: 1 },
      call_retry_config: {
        allowed_days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
        call_twice_in_a_row: false,
        calling_windows: [
          {
            calling_window_start_time: '10:00',
            calling_window_end_time: '18:00',
            retry_delay_seconds: 7200,
          },
        ],
        max_retry_attempts: 3,
      },
      stt_context: { general: [], terms: [] },
      crm_a: { meeting_links: [], precall_lookup_enabled: false },
      custom_tools: [{ headers: [], query_params: [], body_template: null, input_schema: [] }],
    })
  })

  test('an answer that is sent back as it is makes an equal assistant', async () => {
    const { body: first } = await create(FULL_ASSISTANT)
    const { status, body: second } = await create(first.assistant)
    expect(status).toBe(200)
    const { id: _1, faq_items: _2, ...one } = first.assistant
    const { id: _3, faq_items: items, ...other } = second.assistant
    expect(other).toEqual(one)
    expect(items).toMatchObject([{ question: 'Where?', answer: 'Here.' }])
  })

  test('secrets are answered masked, and stored as they are', async () => {
    const { body } = await createWith({
      llm_model: {
        type: 'custom',
        api_key: 'sk-abcdefgh1234',
        api_url: 'https://llm.example/v1',
        model_name: 'm',
      },
      custom_tools: [
        {
          name: 'a_tool',
          description: 'd',
          method: 'POST',
          url: 'https://example.com',
          headers: [
            { key: 'X-Token', value: 'Bearer abcdefgh5678' },
            { key: 'X-Short', value: 'secret' },
          ],
        },
      ],
    })
    expect(body.assistant.llm_model.api_key).toBe('…1234')
    expect(body.assistant.custom_tools[0].headers).toEqual([
      { key: 'X-Token', value: '…5678' },
      { key: 'X-Short', value: '…' },
    ])
    const stored = await api.ports.assistants.find('org_1', body.assistant.id)
    expect(stored?.llmModel).toMatchObject({ apiKey: 'sk-abcdefgh1234' })
    expect(stored?.customTools?.[0]?.headers[0]?.value).toBe('Bearer abcdefgh5678')
  })
})

const tool = { name: 't', description: 'd', method: 'GET', url: 'https://example.com' }

describe('what POST /assistants refuses', () => {
  test.each<[name: string, body: unknown, errors: [string, string][]]>([
    ['no name', { prompt: 'P' }, [['/name', 'required']]],
    [
      'nothing',
      {},
      [
        ['/name', 'required'],
        ['/prompt', 'required'],
      ],
    ],
    ['no object', [], [['', 'invalid_type']]],
    ['null for what is never null', { name: 'A', prompt: null }, [['/prompt', 'invalid_type']]],
    [
      'unknown fields',
      { name: 'A', prompt: 'P', promt: 'x', 'a/b~c': 1 },
      [
        ['/promt', 'unknown_field'],
        ['/a~1b~0c', 'unknown_field'],
      ],
    ],
    [
      'an unknown field deep inside',
      { name: 'A', prompt: 'P', prompt_flow: { edges: [], nodes: [], extra: 1 } },
      [['/prompt_flow/extra', 'unknown_field']],
    ],
    [
      'a model of no type',
      { name: 'A', prompt: 'P', llm_model: { name: 'dedicated_model_1' } },
      [['/llm_model/type', 'required']],
    ],
    [
      'a field of another model type',
      { name: 'A', prompt: 'P', llm_model: { type: 'router', router_model_id: 'm' } },
      [['/llm_model/router_provider', 'required']],
    ],
  ])('%s', async (_name, body, errors) => {
    expect(fieldErrorsOf(await create(body))).toEqual(errors)
  })

  test('addresses that are not encrypted', async () => {
    const fields = {
      webhook_url: 'http://example.com',
      precall_lookup_url: 'HTTP://example.com',
      custom_tools: [{ ...tool, url: 'http://example.com/{{x}}' }],
      llm_model: { type: 'custom', api_key: 'k', api_url: 'http://x.example', model_name: 'm' },
    }
    const code = 'https_required'
    expect(fieldErrorsOf(await createWith(fields))).toEqual([
      ['/webhook_url', code],
      ['/precall_lookup_url', code],
      ['/llm_model/api_url', code],
      ['/custom_tools/0/url', code],
    ])
  })

  test('on the local stack, such addresses are taken', async () => {
    const local = await startApi()
    Object.assign(local.ports.limits, { allowPlainHttp: true })
    const webhook_url = 'http://127.0.0.1:9/hook'
    const stored = { name: 'A', prompt: 'P', webhook_url }
    const inline = { phone_number: '+12025550100', assistant: { prompt: 'P', webhook_url } }
    const answers = [
      await local.request('POST', '/v1/assistants', { json: stored }),
      await local.request('POST', '/v1/call', { json: inline }),
    ]
    await local.stop()
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })

  test('hundreds of errors are answered with the first hundred', async () => {
    const fields = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`x${i}`, i]))
    expect(fieldErrorsOf(await createWith(fields))).toHaveLength(100)
  })
})

describe('GET /assistants/{id}', () => {
  test.each(['asst_nothing', 'x'.repeat(3000), '%00', '%E0%A4%A'])('no such id: %s', async (id) => {
    const answer = await read(id)
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
  })

  test("another organization's assistant is not found", async () => {
    const { body } = await create(FULL_ASSISTANT)
    const path = `/v1/assistants/${body.assistant.id}`
    const answer = await api.request('GET', path, { key: KEYS.other })
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
  })
})
