import { afterAll, describe, expect, test } from 'vitest'

import { KEYS } from '#test/support/api-ports.ts'
import { startApi } from '#test/support/api-server.ts'
import { type FieldPlace, type FieldRow, fieldTests } from '#test/support/field-rows.ts'

const server = await startApi()
afterAll(() => server.stop())
const api = server.json(KEYS.live)

const SAFE = 9_007_199_254_740_991

/** A place inside one object of an assistant, or inside the first of a list of such objects. */
function inside(section: string, name: string, base: object, isList = false): FieldPlace {
  const around = (value: object) => ({ [name]: isList ? [value] : value })
  return {
    section,
    api,
    body: (field, value) => around({ ...base, [field]: value }),
    read: (assistant: Record<string, never>, field) => {
      const whole = assistant[name]
      return isList ? whole?.[0]?.[field] : whole?.[field]
    },
    pointer: (field) => `/${name}${isList ? '/0' : ''}/${field}`,
  }
}

describe('voice', () => {
  const VOICE: readonly FieldRow[] = [
    { field: 'id', takes: ['v', 'voice 7/ü'], refuses: [[''], [1], [null], [undefined]] },
    {
      field: 'provider',
      takes: ['voice_provider_1', 'voice_provider_2', 'voice_provider_3'],
      refuses: [['voice_provider_4'], [null], [undefined]],
    },
    {
      field: 'model',
      takes: ['tts_model_1', 'tts_model_2', 'tts_model_3'],
      refuses: [['tts_model_4'], [null]],
    },
    { field: 'speed', takes: [0.6, 1, 1.5], refuses: [[0.59], [1.51], ['1'], [null]] },
    { field: 'volume', takes: [0.5, 1, 2], refuses: [[0.49], [2.01], ['1'], [null]] },
  ]
  fieldTests(VOICE, inside('2.2', 'voice', { id: 'v', provider: 'voice_provider_1' }))

  const create = (voice: object) => api('POST', '/assistants', { name: 'A', prompt: 'P', voice })

  test.each([
    ['voice_provider_1', 0.6, 1.5],
    ['voice_provider_2', 0.7, 1.2],
    ['voice_provider_3', 0.6, 1.5],
  ])('spec 2.2 speed of %s: from %d to %d', async (provider, least, most) => {
    for (const speed of [least, most]) {
      expect((await create({ id: 'v', provider, speed })).body.assistant.voice.speed).toBe(speed)
    }
    for (const speed of [least - 0.01, most + 0.01]) {
      const { status, body } = await create({ id: 'v', provider, speed })
      expect([status, body.errors[0].pointer]).toEqual([422, '/voice/speed'])
    }
  })

  test('spec 2.2 model, speed and volume: their defaults', async () => {
    const { body } = await create({ id: 'v', provider: 'voice_provider_1' })
    expect(body.assistant.voice).toMatchObject({ model: 'tts_model_3', speed: 1, volume: 1 })
  })

  test.each(['voice_provider_2', 'voice_provider_3'])(
    'spec 2.2 volume: is ignored with %s, as model is',
    async (provider) => {
      const { status } = await create({ id: 'v', provider, model: 'tts_model_1', volume: 0.5 })
      expect(status).toBe(200)
    },
  )
})

describe('llm_model', () => {
  const create = (llmModel: object) =>
    api('POST', '/assistants', { name: 'A', prompt: 'P', llm_model: llmModel })
  const custom = {
    type: 'custom',
    api_key: 'k',
    api_url: 'https://llm.example/v1',
    model_name: 'm',
  }
  const realtime = { type: 'realtime', provider: 'realtime_provider_1', realtime_model_id: 'm' }
  const router = { type: 'router', router_model_id: 'm', router_provider: 'p' }

  const taken: [type: string, model: object][] = [
    ['dedicated-instance', { type: 'dedicated-instance', name: 'dedicated_model_1' }],
    ['dedicated-instance', { type: 'dedicated-instance', name: 'dedicated_model_2' }],
    ['router', router],
    ['realtime', realtime],
    ['realtime', { ...realtime, provider: 'realtime_provider_2', realtime_voice_id: 'v' }],
  ]
  test.each(taken)('spec 2.3 %s: comes back as it was sent', async (_type, model) => {
    const { body } = await create(model)
    expect(body.assistant.llm_model).toEqual(model)
  })

  test('spec 2.3 custom: comes back with its key masked', async () => {
    const { body } = await create({ ...custom, api_key: 'sk-1234567890' })
    expect(body.assistant.llm_model).toEqual({ ...custom, api_key: '…7890' })
  })

  const refused: [type: string, model: object, at: string][] = [
    ['dedicated-instance', { type: 'dedicated-instance', name: 'dedicated_model_3' }, '/name'],
    ['dedicated-instance', { type: 'dedicated-instance' }, '/name'],
    ['router', { ...router, router_model_id: 1 }, '/router_model_id'],
    ['router', { type: 'router', router_model_id: 'm' }, '/router_provider'],
    ['custom', { ...custom, api_key: '' }, '/api_key'],
    ['custom', { ...custom, api_url: 'llm' }, '/api_url'],
    ['custom', { ...custom, model_name: '' }, '/model_name'],
    ['realtime', { ...realtime, provider: 'realtime_provider_3' }, '/provider'],
    ['realtime', { type: 'realtime', provider: 'realtime_provider_1' }, '/realtime_model_id'],
    ['realtime', { ...realtime, realtime_voice_id: '' }, '/realtime_voice_id'],
    ['realtime', { ...realtime, name: 'dedicated_model_1' }, '/name'],
  ]
  test.each(refused)('spec 2.3 %s: %j is refused at %s', async (_type, model, at) => {
    const { status, body } = await create(model)
    expect([status, body.errors[0].pointer]).toEqual([422, `/llm_model${at}`])
  })
})

describe('custom tools', () => {
  const tool = { name: 'find_slot', description: 'D', method: 'GET', url: 'https://example.com' }
  const pairs = (field: string): FieldRow => ({
    field,
    takes: [
      [],
      [
        { key: 'k', value: '' },
        { key: 'k', value: '{{v}}' },
      ],
    ],
    refuses: [[[{ key: '', value: 'v' }], '/0/key'], [[{ key: 'k' }], '/0/value'], [null]],
  })
  const TOOL: readonly FieldRow[] = [
    {
      field: 'name',
      takes: ['a', 'find_slot', 'find_slot_2'],
      refuses: [['findSlot'], ['Find'], ['a__b'], ['_a'], ['a-b'], [null]],
    },
    { field: 'description', takes: ['D'], refuses: [[''], [undefined]] },
    {
      field: 'method',
      takes: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      refuses: [['HEAD'], ['get'], [undefined]],
    },
    {
      field: 'url',
      takes: ['https://example.com/{{id}}?q={{q}}', 'https://{{host}}/x'],
      refuses: [[''], [1], [undefined]],
    },
    { ...pairs('headers'), takes: [[]] },
    pairs('query_params'),
    { field: 'body_template', takes: [null, '{"a":"{{a}}"}'], refuses: [[{}]] },
    {
      field: 'input_schema',
      takes: [[], [{ name: 'n', required: true, type: 'string' }]],
      refuses: [[[{ name: '', required: true, type: 'string' }], '/0/name'], [null]],
    },
  ]
  fieldTests(TOOL, inside('2.4', 'custom_tools', tool, true))

  test('spec 2.4 headers: their values come back masked', async () => {
    const headers = [{ key: 'Authorization', value: 'Bearer {{token}}-1234' }]
    const body = { name: 'A', prompt: 'P', custom_tools: [{ ...tool, headers }] }
    const { assistant } = (await api('POST', '/assistants', body)).body
    expect(assistant.custom_tools[0].headers).toEqual([{ key: 'Authorization', value: '…1234' }])
  })

  test('spec 2.4 name: of two tools with one name the second is refused', async () => {
    const body = { name: 'A', prompt: 'P', custom_tools: [tool, { ...tool, name: 'b' }, tool] }
    const answer = await api('POST', '/assistants', body)
    expect(answer.body.errors).toMatchObject([
      { pointer: '/custom_tools/2/name', code: 'duplicate' },
    ])
  })
})

describe('structured output', () => {
  const FIELD: readonly FieldRow[] = [
    { field: 'name', takes: ['n', 'Ein Name'], refuses: [[''], [1], [undefined]] },
    { field: 'required', takes: [true, false], refuses: [['yes'], [undefined]] },
    {
      field: 'type',
      takes: ['string', 'number', 'boolean', 'enum', 'date', 'datetime'],
      refuses: [['integer'], [undefined]],
    },
    { field: 'description', takes: ['', 'What for', undefined], refuses: [[1]] },
    { field: 'enum_options', takes: [[], ['a', 'b'], undefined], refuses: [['a'], [[1], '/0']] },
  ]
  const base = { name: 'n', required: true, type: 'enum' }
  fieldTests(FIELD, inside('2.5', 'structured_output_config', base, true))
})

describe('call_retry_config', () => {
  const window = {
    calling_window_start_time: '10:00',
    calling_window_end_time: '18:00',
    retry_delay_seconds: 7_200,
  }
  const CONFIG: readonly FieldRow[] = [
    {
      field: 'allowed_days',
      takes: [
        ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
        ['sunday'],
      ],
      refuses: [[['someday'], '/0'], [['Monday'], '/0'], [[]], [null]],
    },
    { field: 'call_twice_in_a_row', takes: [true, false], refuses: [['no'], [null]] },
    {
      field: 'calling_windows',
      takes: [[window], [window, { ...window, calling_window_start_time: '7pm' }]],
      refuses: [[[]], [{}], [null]],
    },
    {
      field: 'max_retry_attempts',
      takes: [1, SAFE],
      refuses: [[0], [-1], [1.5], [SAFE + 1], [null]],
    },
    {
      field: 'timezone',
      takes: ['Europe/Paris', 'America/Argentina/Buenos_Aires', 'UTC'],
      refuses: [['Paris'], ['+01:00'], ['']],
    },
  ]
  fieldTests(CONFIG, inside('2.6', 'call_retry_config', {}))

  const WINDOW: readonly FieldRow[] = [
    {
      field: 'calling_window_start_time',
      takes: ['00:00', '09:30', '23:59', '10am', '12am', '6:30pm'],
      refuses: [['24:00'], ['9.30'], ['13pm'], [10]],
    },
    {
      field: 'calling_window_end_time',
      takes: ['00:00', '18:00', '12pm', '2am'],
      refuses: [['18:60'], ['0pm'], ['10:00'], [null]],
    },
    { field: 'retry_delay_seconds', takes: [0, 7_200, SAFE], refuses: [[-1], [SAFE + 1], [null]] },
  ]
  fieldTests(WINDOW, {
    section: '2.6',
    api,
    body: (field, value) => ({
      call_retry_config: {
        calling_windows: [
          {
            calling_window_start_time: '10:00',
            calling_window_end_time: '18:00',
            [field]: value,
          },
        ],
      },
    }),
    read: (
      assistant: { call_retry_config: { calling_windows: [Record<string, unknown>] } },
      field,
    ) => assistant.call_retry_config.calling_windows[0][field],
    pointer: (field) => `/call_retry_config/calling_windows/0/${field}`,
  })

  test('spec 2.6 the defaults of every field', async () => {
    const create = async (config: object) => {
      const body = { name: 'A', prompt: 'P', call_retry_config: config }
      return (await api('POST', '/assistants', body)).body.assistant.call_retry_config
    }
    const defaults = {
      allowed_days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
      call_twice_in_a_row: false,
      calling_windows: [window],
      max_retry_attempts: 3,
    }
    expect(await create({})).toEqual(defaults)
    expect(await create({ calling_windows: [{}] })).toEqual(defaults)
  })
})

describe('limits', () => {
  const pointersOf = async (fields: object) => {
    const { status, body } = await api('POST', '/assistants', { name: 'A', prompt: 'P', ...fields })
    return status === 200 ? [] : body.errors.map(({ pointer }: { pointer: string }) => pointer)
  }
  const transfer = (label: string) => ({
    transfer_destinations: [{ label, phone_number: '+12025550120' }],
  })
  const voice = (fields: object) => ({
    voice: { id: 'v', provider: 'voice_provider_1', ...fields },
  })
  const retry = (fields: object) => ({ call_retry_config: fields })
  const volumes = (value: number) => ({
    background_sound_volume: value,
    thinking_sound_volume: value,
    thinking_sound_probability: value,
  })

  const cases: [limit: string, within: object[], beyond: object[], count?: number][] = [
    [
      'max_duration_end_message length',
      // Characters, also those that JavaScript counts twice.
      [
        { max_duration_end_message: 'x'.repeat(150) },
        { max_duration_end_message: '👋'.repeat(150) },
      ],
      [
        { max_duration_end_message: 'x'.repeat(151) },
        { max_duration_end_message: '👋'.repeat(151) },
      ],
    ],
    [
      'transfer destination label length',
      [transfer('x'), transfer('x'.repeat(60)), transfer('👋'.repeat(60))],
      [transfer(''), transfer('x'.repeat(61)), transfer('👋'.repeat(61))],
    ],
    [
      'voice speed',
      [voice({ speed: 0.6 }), voice({ speed: 1.5 })],
      [voice({ speed: 0.599 }), voice({ speed: 1.501 })],
    ],
    [
      'voice volume',
      [voice({ volume: 0.5 }), voice({ volume: 2 })],
      [voice({ volume: 0.499 }), voice({ volume: 2.001 })],
    ],
    [
      'sound volumes and thinking_sound_probability',
      [volumes(0), volumes(1)],
      [volumes(-0.001), volumes(1.001)],
      3,
    ],
    [
      'retry_delay_seconds',
      [retry({ calling_windows: [{ retry_delay_seconds: 0 }, { retry_delay_seconds: SAFE }] })],
      [
        retry({ calling_windows: [{ retry_delay_seconds: -1 }] }),
        retry({ calling_windows: [{ retry_delay_seconds: SAFE + 1 }] }),
      ],
    ],
    [
      'max_retry_attempts',
      [retry({ max_retry_attempts: 1 }), retry({ max_retry_attempts: SAFE })],
      [retry({ max_retry_attempts: 0 }), retry({ max_retry_attempts: SAFE + 1 })],
    ],
  ]
  test.each(cases)(
    'spec 8 %s: both ends, and one step beyond',
    async (_limit, within, beyond, count = 1) => {
      for (const fields of within) expect([fields, await pointersOf(fields)]).toEqual([fields, []])
      for (const fields of beyond) {
        expect([fields, await pointersOf(fields)]).toEqual([
          fields,
          Array(count).fill(expect.any(String)),
        ])
      }
    },
  )

  test('spec 8 first_sentence_delay_ms default: 400, in assistants and in calls', async () => {
    const { body } = await api('POST', '/assistants', { name: 'A', prompt: 'P' })
    expect(body.assistant.first_sentence_delay_ms).toBe(400)
    const call = { phone_number: '+12025550100', assistant: { prompt: 'P' } }
    const placed = await api('POST', '/call', call)
    expect(placed.body.call.first_sentence_delay_ms).toBe(400)
  })

  test('spec 8 campaign max_concurrent_calls: from 1 to what the organization may', async () => {
    const { id } = (await api('POST', '/assistants', { name: 'A', prompt: 'P' })).body.assistant
    const create = async (max: unknown) => {
      const contacts = [{ to_phone_number: '+12025550100' }]
      const body = { name: 'C', assistant_id: id, contacts, max_concurrent_calls: max }
      return api('POST', '/campaigns', body)
    }
    for (const max of [1, 10]) {
      expect((await create(max)).body.campaign).toMatchObject({ max_concurrent_calls: max })
    }
    for (const max of [0, 11, 1.5, '1']) {
      expect((await create(max)).body.errors).toMatchObject([{ pointer: '/max_concurrent_calls' }])
    }
  })

  test('spec 8 call concurrency.max: an integer from 1', async () => {
    const place = (max: unknown) =>
      api('POST', '/call', {
        phone_number: '+12025550100',
        assistant: { prompt: 'P' },
        concurrency: { key: 'k', max },
      })
    for (const max of [1, SAFE]) expect((await place(max)).status).toBe(200)
    for (const max of [0, 1.5, null, '1']) {
      expect((await place(max)).body.errors).toMatchObject([{ pointer: '/concurrency/max' }])
    }
  })
})
