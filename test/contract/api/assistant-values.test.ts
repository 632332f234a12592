import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import {
  ASSISTANT_TYPES,
  BACKGROUND_SOUNDS,
  FIRST_SENTENCE_MODES,
  HTTP_METHODS,
  HUMAN_TRANSFER_MODES,
  OUTCOME_SELECTORS,
  STRUCTURED_OUTPUT_TYPES,
  STT_MODELS,
  THINKING_SOUNDS,
  TTS_MODELS,
} from '#shared/domain/assistant.ts'
import { type Api, fieldErrorsOf, startApi } from '#test/support/api-server.ts'

let api: Api
beforeAll(async () => void (api = await startApi()))
afterAll(() => api.stop())

const createWith = (fields: object) =>
  api.request('POST', '/v1/assistants', { json: { name: 'A', prompt: 'P', ...fields } })

const link = { connection_id: 'c', channels: [], outcomes: [] }
const tool = { name: 't', description: 'd', method: 'GET', url: 'https://example.com' }

describe('every value of every enum is taken, and no other', () => {
  const enums: [name: string, values: readonly unknown[], fields: (value: unknown) => object][] = [
    ['type', ASSISTANT_TYPES, (type) => ({ type })],
    ['first_sentence_mode', FIRST_SENTENCE_MODES, (value) => ({ first_sentence_mode: value })],
    ['background_sound', [...BACKGROUND_SOUNDS, null], (value) => ({ background_sound: value })],
    ['thinking_sound', [...THINKING_SOUNDS, null], (value) => ({ thinking_sound: value })],
    ['stt_model', STT_MODELS, (value) => ({ stt_model: value })],
    [
      'human_transfer_mode',
      [...HUMAN_TRANSFER_MODES, null],
      (value) => ({ human_transfer_mode: value }),
    ],
    [
      'voice/model',
      TTS_MODELS,
      (model) => ({ voice: { id: 'v', provider: 'voice_provider_1', model } }),
    ],
    [
      'voice/provider',
      ['voice_provider_1', 'voice_provider_2', 'voice_provider_3'],
      (provider) => ({ voice: { id: 'v', provider } }),
    ],
    [
      'llm_model/name',
      ['dedicated_model_1', 'dedicated_model_2'],
      (name) => ({ llm_model: { type: 'dedicated-instance', name } }),
    ],
    [
      'llm_model/provider',
      ['realtime_provider_1', 'realtime_provider_2'],
      (provider) => ({ llm_model: { type: 'realtime', provider, realtime_model_id: 'm' } }),
    ],
    [
      'email_notification_outcomes/0',
      OUTCOME_SELECTORS,
      (value) => ({ email_notification_outcomes: [value] }),
    ],
    [
      'after_call_sms_outcomes/0',
      OUTCOME_SELECTORS,
      (value) => ({ after_call_sms_outcomes: [value] }),
    ],
    ['chat/outcomes/0', OUTCOME_SELECTORS, (value) => ({ chat: { ...link, outcomes: [value] } })],
    [
      'structured_output_config/0/type',
      STRUCTURED_OUTPUT_TYPES,
      (type) => ({ structured_output_config: [{ name: 'n', required: true, type }] }),
    ],
    ['custom_tools/0/method', HTTP_METHODS, (method) => ({ custom_tools: [{ ...tool, method }] })],
    [
      'call_retry_config/allowed_days/0',
      ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
      (day) => ({ call_retry_config: { allowed_days: [day] } }),
    ],
  ]
  test.each(enums)('%s', async (name, values, fields) => {
    for (const value of values) {
      const answer = await createWith(fields(value))
      expect([value, answer.status]).toEqual([value, 200])
      expect(answer.body.assistant).toMatchObject(fields(value))
    }
    const errors = fieldErrorsOf(await createWith(fields('something_else')))
    expect(errors).toEqual([[`/${name}`, 'invalid_value']])
  })
})

describe('every bound holds, and one step beyond it is refused with its pointer', () => {
  const voice = (provider: string, fields: object) => ({ voice: { id: 'v', provider, ...fields } })
  const retry = (fields: object) => ({ call_retry_config: fields })
  const window = (fields: object) => retry({ calling_windows: [fields] })
  const share = ['background_sound_volume', 'thinking_sound_volume', 'thinking_sound_probability']
  const SAFE = 9_007_199_254_740_991
  const inside: [name: string, fields: object][] = [
    ...share.flatMap((name): [string, object][] => [
      [name, { [name]: 0 }],
      [name, { [name]: 1 }],
    ]),
    ['delay', { first_sentence_delay_ms: 0 }],
    ['duration', { max_call_duration_secs: 1 }],
    ['duration', { max_call_duration_secs: 14_400 }],
    ['message', { max_duration_end_message: 'x'.repeat(150) }],
    ['speed 1', voice('voice_provider_1', { speed: 0.6 })],
    ['speed 1', voice('voice_provider_1', { speed: 1.5 })],
    ['speed 2', voice('voice_provider_2', { speed: 0.7 })],
    ['speed 2', voice('voice_provider_2', { speed: 1.2 })],
    ['speed 3', voice('voice_provider_3', { speed: 0.6 })],
    ['speed 3', voice('voice_provider_3', { speed: 1.5 })],
    ['volume', voice('voice_provider_1', { volume: 0.5 })],
    ['volume', voice('voice_provider_1', { volume: 2 })],
    ['label', { transfer_destinations: [{ label: 'x', phone_number: '+12025550120' }] }],
    ['label', { transfer_destinations: [{ label: 'x'.repeat(60), phone_number: '+12025550120' }] }],
    ['attempts', retry({ max_retry_attempts: 1 })],
    ['attempts', retry({ max_retry_attempts: SAFE })],
    ['retry delay', window({ retry_delay_seconds: 0 })],
    ['retry delay', window({ retry_delay_seconds: SAFE })],
    [
      'window over midnight',
      window({ calling_window_start_time: '10pm', calling_window_end_time: '2am' }),
    ],
  ]
  test.each(inside)('%s inside', async (_name, fields) => {
    const answer = await createWith(fields)
    expect([answer.status, answer.body.assistant]).toMatchObject([200, fields])
  })

  const beyond: [pointer: string, code: string, fields: object][] = [
    ...share.flatMap((name): [string, string, object][] => [
      [`/${name}`, 'too_small', { [name]: -0.01 }],
      [`/${name}`, 'too_big', { [name]: 1.01 }],
    ]),
    ['/first_sentence_delay_ms', 'too_small', { first_sentence_delay_ms: -1 }],
    ['/first_sentence_delay_ms', 'too_big', { first_sentence_delay_ms: 60_001 }],
    ['/max_call_duration_secs', 'too_small', { max_call_duration_secs: 0 }],
    ['/max_call_duration_secs', 'too_big', { max_call_duration_secs: 14_401 }],
    ['/max_duration_end_message', 'too_long', { max_duration_end_message: 'x'.repeat(151) }],
    ['/voice/speed', 'too_small', voice('voice_provider_1', { speed: 0.59 })],
    ['/voice/speed', 'too_big', voice('voice_provider_1', { speed: 1.51 })],
    ['/voice/speed', 'too_small', voice('voice_provider_2', { speed: 0.69 })],
    ['/voice/speed', 'too_big', voice('voice_provider_2', { speed: 1.21 })],
    ['/voice/speed', 'too_small', voice('voice_provider_3', { speed: 0.59 })],
    ['/voice/speed', 'too_big', voice('voice_provider_3', { speed: 1.51 })],
    ['/voice/volume', 'too_small', voice('voice_provider_1', { volume: 0.49 })],
    ['/voice/volume', 'too_big', voice('voice_provider_1', { volume: 2.01 })],
    ['/voice/id', 'too_short', { voice: { id: '', provider: 'voice_provider_1' } }],
    [
      '/transfer_destinations/0/label',
      'too_short',
      { transfer_destinations: [{ label: '', phone_number: '+12025550120' }] },
    ],
    [
      '/transfer_destinations/0/label',
      'too_long',
      { transfer_destinations: [{ label: 'x'.repeat(61), phone_number: '+12025550120' }] },
    ],
    ['/call_retry_config/max_retry_attempts', 'too_small', retry({ max_retry_attempts: 0 })],
    ['/call_retry_config/max_retry_attempts', 'too_big', retry({ max_retry_attempts: SAFE + 1 })],
    ['/call_retry_config/allowed_days', 'not_empty', retry({ allowed_days: [] })],
    ['/call_retry_config/calling_windows', 'not_empty', retry({ calling_windows: [] })],
    ['/call_retry_config/timezone', 'iana_time_zone', retry({ timezone: 'Mars/Base' })],
    [
      '/call_retry_config/calling_windows/0/retry_delay_seconds',
      'too_small',
      window({ retry_delay_seconds: -1 }),
    ],
    [
      '/call_retry_config/calling_windows/0/calling_window_start_time',
      'time_of_day',
      window({ calling_window_start_time: '25:00' }),
    ],
    [
      '/call_retry_config/calling_windows/0/calling_window_end_time',
      'start_differs_from_end',
      window({ calling_window_start_time: '10am', calling_window_end_time: '10:00' }),
    ],
    [
      '/structured_output_config/0/name',
      'too_short',
      {
        structured_output_config: [{ name: '', required: true, type: 'string' }],
      },
    ],
    ['/custom_tools/0/name', 'invalid_format', { custom_tools: [{ ...tool, name: 'notSnake' }] }],
    ['/custom_tools/1/name', 'duplicate', { custom_tools: [tool, tool] }],
    ['/custom_tools/0/url', 'too_short', { custom_tools: [{ ...tool, url: '' }] }],
    [
      '/custom_tools/0/headers/0/key',
      'too_short',
      {
        custom_tools: [{ ...tool, headers: [{ key: '', value: '' }] }],
      },
    ],
    [
      '/stt_context/general/0/value',
      'too_short',
      {
        stt_context: { general: [{ key: 'k', value: '' }] },
      },
    ],
    [
      '/crm_b/module',
      'too_short',
      {
        crm_b: { connection_id: 'c', module: '', outcomes: [] },
      },
    ],
    [
      '/crm_b/field_mapping/0/source',
      'too_short',
      {
        crm_b: {
          connection_id: 'c',
          module: 'm',
          outcomes: [],
          field_mapping: [{ source: '', crm_field: 'f' }],
        },
      },
    ],
    [
      '/llm_model/api_key',
      'too_short',
      {
        llm_model: { type: 'custom', api_key: '', api_url: 'https://x.example', model_name: 'm' },
      },
    ],
    [
      '/llm_model/api_url',
      'invalid_format',
      {
        llm_model: { type: 'custom', api_key: 'k', api_url: 'x', model_name: 'm' },
      },
    ],
    ['/webhook_url', 'invalid_format', { webhook_url: 'ftp://example.com' }],
    ['/email_notification_address', 'invalid_email', { email_notification_address: 'a@b.co,c' }],
    ['/from_phone_number', 'invalid_phone_number', { from_phone_number: '2025550100' }],
    ['/transfer_phone_number', 'invalid_phone_number', { transfer_phone_number: '+12025' }],
  ]
  test.each(beyond)('%s %s', async (pointer, code, fields) => {
    expect(fieldErrorsOf(await createWith(fields))).toEqual([[pointer, code]])
  })
})
