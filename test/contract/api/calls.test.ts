import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { callOrderSchema } from '#shared/contract/call-order.ts'
import type { CallOrder, CallOrderStatus } from '#shared/domain/call-order/order.ts'
import { anAttempt } from '#test/support/an-attempt.ts'
import { NOON } from '#test/support/an-order.ts'
import { KEYS } from '#test/support/api-ports.ts'
import {
  type Api,
  type ApiRequestOptions,
  fieldErrorsOf,
  startApi,
} from '#test/support/api-server.ts'

let api: Api
let assistantId: string
beforeAll(async () => {
  api = await startApi()
  const json = { name: 'A', prompt: 'P', first_sentence_delay_ms: 123 }
  const created = await api.request('POST', '/v1/assistants', { json })
  assistantId = created.body.assistant.id
})
afterAll(() => api.stop())

const place = (json: unknown, options: ApiRequestOptions = {}) =>
  api.request('POST', '/v1/call', { json, ...options })
const placeWith = (fields: object) =>
  place({ phone_number: '+12025550100', assistant: { prompt: 'P' }, ...fields })
const act = (id: string, action: string, key = KEYS.test) =>
  api.request('POST', `/v1/call/${id}/${action}`, { key })

describe('POST /call', () => {
  test('places a call with a stored assistant', async () => {
    const answer = await place({
      phone_number: '+12025550100',
      assistant_id: assistantId,
      concurrency: { key: 'k', max: 1 },
      from_phone_number: '+12025550150',
      metadata: { __order: '7', orderId: 'x' },
      prompt_variables: { first_name: 'Bo', Last_Name: 'x', email: 'bo@example.com' },
      scheduled_at: '2026-01-15T12:00:00+02:00',
    })
    expect(answer.status).toBe(200)
    const { call } = answer.body
    expect(callOrderSchema.parse(call)).toEqual(call)
    expect(call).toMatchObject({
      id: expect.stringMatching(/^call_[0-9A-Z]{26}$/),
      assignee: null,
      assistant: { id: assistantId, name: 'A', prompt: 'P' },
      call_attempts: [],
      last_call_attempt: null,
      calls_count: 0,
      call_retry_config: { max_retry_attempts: 3 },
      campaign: null,
      contact: {
        company: null,
        email: 'bo@example.com',
        first_name: 'Bo',
        job_title: null,
        last_name: null,
      },
      created_at: '2026-01-14T12:00:00.000Z',
      direction: 'outbound',
      first_sentence_delay_ms: 123,
      from_phone_number: '+12025550150',
      to_phone_number: '+12025550100',
      is_cancelled: false,
      is_completed: false,
      llm_model: { type: 'dedicated-instance', name: 'dedicated_model_1' },
      metadata: { __order: '7', orderId: 'x' },
      prompt_variables: { first_name: 'Bo', Last_Name: 'x', email: 'bo@example.com' },
      organization_id: 'org_1',
      scheduled_at: '2026-01-15T10:00:00.000Z',
      status: 'scheduled',
      next_call_at: expect.stringMatching(/^2026-01-15T/),
      callback_from: null,
      cancel_reason: null,
      follow_up_emails: null,
      outcome: null,
      outcome_summary: null,
      chat_channel_ids: null,
      visual_number: null,
    })
    expect(await api.ports.calls.findOrder(call.id)).toMatchObject({
      concurrency: { key: 'k', max: 1 },
      isTest: true,
    })
    const found = await api.request('GET', `/v1/call/${call.id}`)
    expect([found.status, found.body]).toEqual([200, { call }])
  })

  test('places a call with an assistant of its own, every field of it', async () => {
    const assistant = {
      prompt: 'You are Bo.',
      background_sound: 'audio/office.ogg',
      scheduling: { connection_id: 'c', event_type_id: 'e' },
      call_retry_config: {
        allowed_days: ['monday'],
        call_twice_in_a_row: true,
        calling_windows: [
          {
            calling_window_start_time: '09:00',
            calling_window_end_time: '17:00',
            retry_delay_seconds: 5,
          },
        ],
        max_retry_attempts: 2,
      },
      end_of_call_sentence: 'Bye',
      faq_items: [{ question: 'Q', answer: 'A' }],
      first_sentence: 'Hi',
      first_sentence_delay_ms: 0,
      first_sentence_mode: 'static',
      ivr_navigation_enabled: true,
      llm_model: { type: 'router', router_model_id: 'm', router_provider: 'p' },
      max_call_duration_secs: 60,
      structured_output_config: [{ name: '', required: true, type: 'boolean' }],
      transfer_phone_number: '+12025550120',
      voice: { id: 'v', provider: 'voice_provider_2', speed: 1.1 },
      voicemail_message: 'Hm',
      webhook_url: 'https://example.com/hook',
    }
    const { status, body } = await placeWith({ assistant })
    expect(status).toBe(200)
    expect(body.call.assistant).toMatchObject({ ...assistant, faq_items: [{ question: 'Q' }] })
    expect(body.call.call_retry_config).toEqual(assistant.call_retry_config)
    expect(body.call).toMatchObject({
      assistant: {
        id: body.call.id.replace('call_', 'asst_'),
        organization_id: 'org_1',
        max_duration_end_message: null,
      },
      from_phone_number: '+12025550199',
    })
  })

  test('the stored assistant wins over one given beside it', async () => {
    const { body } = await placeWith({ assistant_id: assistantId })
    expect(body.call.assistant.id).toBe(assistantId)
  })

  test('the mode of the key decides whether it is a test call', async () => {
    const json = { phone_number: '+12025550100', assistant_id: assistantId }
    const { body } = await place(json, { key: KEYS.live })
    expect((await api.ports.calls.findOrder(body.call.id))?.isTest).toBe(false)
  })

  test('force_now goes with a moment that has passed, and with null', async () => {
    for (const scheduled_at of ['2026-01-14T12:00:00Z', null]) {
      const { status } = await placeWith({ force_now: true, scheduled_at })
      expect(status).toBe(200)
    }
  })

  const refusals: [pointer: string, code: string, fields: object][] = [
    ['/phone_number', 'required', { phone_number: undefined }],
    ['/phone_number', 'invalid_phone_number', { phone_number: '+1 202 555 0100' }],
    ['/phone_number', 'invalid_phone_number', { phone_number: '+1234567890123456' }],
    ['/phone_number', 'invalid_type', { phone_number: 12025550100 }],
    ['/assistant_id', 'required', { assistant: undefined }],
    ['/assistant_id', 'assistant_not_found', { assistant_id: 'asst_none' }],
    ['/assistant_id', 'invalid_type', { assistant_id: null }],
    ['/assistant/prompt', 'required', { assistant: {} }],
    ['/assistant/name', 'unknown_field', { assistant: { prompt: 'P', name: 'N' } }],
    [
      '/assistant/voice/provider',
      'invalid_value',
      { assistant: { prompt: 'P', voice: { id: 'v', provider: 'voice_provider_3' } } },
    ],
    [
      '/assistant/llm_model/type',
      'invalid_value',
      {
        assistant: {
          prompt: 'P',
          llm_model: { type: 'realtime', provider: 'realtime_provider_1', realtime_model_id: 'm' },
        },
      },
    ],
    [
      '/assistant/webhook_url',
      'https_required',
      { assistant: { prompt: 'P', webhook_url: 'http://example.com' } },
    ],
    ['/concurrency/key', 'too_short', { concurrency: { key: '', max: 1 } }],
    ['/concurrency/key', 'too_long', { concurrency: { key: 'x'.repeat(129), max: 1 } }],
    ['/concurrency/max', 'too_small', { concurrency: { key: 'k', max: 0 } }],
    ['/concurrency/max', 'invalid_type', { concurrency: { key: 'k', max: 1.5 } }],
    ['/metadata/n', 'invalid_type', { metadata: { n: 1 } }],
    ['/prompt_variables/n', 'invalid_type', { prompt_variables: { n: null } }],
    ['/scheduled_at', 'invalid_timestamp', { scheduled_at: '2026-01-15T12:00:00' }],
    ['/scheduled_at', 'invalid_timestamp', { scheduled_at: 'tomorrow' }],
    [
      '/force_now',
      'contradicts_scheduled_at',
      { force_now: true, scheduled_at: '2026-01-14T12:00:00.001Z' },
    ],
    ['/force', 'unknown_field', { force: true }],
  ]
  test.each(refusals)('refuses %s: %s', async (pointer, code, fields) => {
    expect(fieldErrorsOf(await placeWith(fields))).toEqual([[pointer, code]])
  })

  test("another organization's assistant is not found", async () => {
    const json = { phone_number: '+12025550100', assistant_id: assistantId }
    const answer = await place(json, { key: KEYS.other })
    expect(fieldErrorsOf(answer)).toEqual([['/assistant_id', 'assistant_not_found']])
  })
})

describe('GET /call/{id}', () => {
  test('shows every attempt, the latest first', async () => {
    const { id } = (await placeWith({})).body.call
    const before = await api.ports.calls.findOrder(id)
    if (before === null) throw new Error('The order was just placed')
    const after: CallOrder = {
      ...before,
      version: before.version + 1,
      status: 'completed',
      dueAt: null,
      attemptsMade: 2,
      callbackFrom: { callId: 'call_0', createdAt: NOON },
      outcome: 'interested',
      outcomeSummary: 'Wants to know more',
    }
    await api.ports.calls.save({ order: { before, after }, effects: [] })
    const attempts = [
      anAttempt({ orderId: id, id: 'att_1', number: 1, status: 'error', dialError: 'busy' }),
      anAttempt({
        orderId: id,
        id: 'att_2',
        number: 2,
        status: 'completed',
        result: 'human',
        dialStartedAt: NOON,
        answeredAt: NOON + 5_000,
        endedAt: NOON + 65_001,
        handledByAi: true,
        endReason: 'tool_end_call',
        endedBy: 'agent',
        recordingKey: 'r/2.wav',
        structuredOutput: { some_key: 1, otherKey: { innerKey: true } },
        transcript: [
          { role: 'user', content: 'Hello?' },
          {
            role: 'tool',
            content: '',
            toolName: 'find_slot',
            toolArguments: { dayOfWeek: 1 },
            toolOutput: 'ok',
            toolIsError: false,
          },
        ],
        speechEvents: [
          {
            id: 'sp_1',
            isRealTurn: true,
            speaker: 'user',
            startedSpeakingAtMs: 100,
            stoppedSpeakingAtMs: null,
            transcript: 'Hello?',
            sttTranscriptionDelayMs: 80,
            llmSystemPrompt: null,
            llmTtftMs: null,
            llmWinnerModel: null,
            ttsTtfbMs: null,
            wasCut: null,
          },
        ],
      }),
    ]
    for (const attempt of attempts) {
      await api.ports.calls.save({ attempt: { before: null, after: attempt }, effects: [] })
    }
    const { status, body } = await api.request('GET', `/v1/call/${id}`)
    expect(status).toBe(200)
    const { call } = body
    expect(callOrderSchema.parse(call)).toEqual(call)
    expect(call).toMatchObject({
      status: 'completed',
      is_completed: true,
      is_cancelled: false,
      calls_count: 2,
      next_call_at: null,
      outcome: 'interested',
      outcome_summary: 'Wants to know more',
      callback_from: { call_id: 'call_0', created_at: '2026-01-14T12:00:00.000Z' },
      call_attempts: [{ id: 'att_2' }, { id: 'att_1', dial_error: 'busy', recording_url: null }],
    })
    expect(call.last_call_attempt).toEqual({
      id: 'att_2',
      phone_number: '+12025550100',
      status: 'completed',
      result: 'human',
      dial_error: null,
      recording_url: 'https://recordings.example/r/2.wav?signed',
      started_at: '2026-01-14T12:00:00.000Z',
      answered_at: '2026-01-14T12:00:05.000Z',
      ended_at: '2026-01-14T12:01:05.001Z',
      handled_by_ai: true,
      handled_by_human: false,
      handled_by_user: null,
      assistants_used: null,
      end_reason: 'tool_end_call',
      ended_by: 'agent',
      structured_output: { some_key: 1, otherKey: { innerKey: true } },
      transcript: [
        {
          role: 'user',
          content: 'Hello?',
          tool_arguments: null,
          tool_is_error: null,
          tool_name: null,
          tool_output: null,
        },
        {
          role: 'tool',
          content: '',
          tool_arguments: { dayOfWeek: 1 },
          tool_is_error: false,
          tool_name: 'find_slot',
          tool_output: 'ok',
        },
      ],
      post_call_transcript: null,
      email_log: [],
      sms_log: [],
      speech_events: [
        {
          id: 'sp_1',
          is_real_turn: true,
          speaker: 'user',
          started_speaking_at_ms: 100,
          stopped_speaking_at_ms: null,
          transcript: 'Hello?',
          stt_transcription_delay_ms: 80,
          llm_system_prompt: null,
          llm_ttft_ms: null,
          llm_winner_model: null,
          tts_ttfb_ms: null,
          was_cut: null,
        },
      ],
    })
  })

  test('is not found under an unknown id, or by another organization', async () => {
    const { id } = (await placeWith({})).body.call
    const unknown = await api.request('GET', '/v1/call/call_none')
    const foreign = await api.request('GET', `/v1/call/${id}`, { key: KEYS.other })
    expect([unknown.status, foreign.status]).toEqual([404, 404])
  })
})

describe('POST /call/{id}/pause, resume and cancel', () => {
  const statusOf = async (id: string): Promise<CallOrderStatus> =>
    (await api.request('GET', `/v1/call/${id}`)).body.call.status

  test('hold a call back, let it go on, and end it', async () => {
    const { id } = (await placeWith({ scheduled_at: '2026-01-15T12:00:00Z' })).body.call
    const steps: [action: string, status: CallOrderStatus][] = [
      ['pause', 'paused'],
      ['resume', 'scheduled'],
      ['cancel', 'cancelled'],
    ]
    for (const [action, status] of steps) {
      const answer = await act(id, action)
      expect([answer.status, answer.body]).toEqual([200, { success: true }])
      expect(await statusOf(id)).toBe(status)
    }
    const { call } = (await api.request('GET', `/v1/call/${id}`)).body
    expect(call).toMatchObject({ is_cancelled: true, cancel_reason: null, next_call_at: null })
  })

  test('answer 409 where the state does not allow it, and change nothing', async () => {
    const { id } = (await placeWith({})).body.call
    await act(id, 'cancel')
    for (const action of ['pause', 'resume']) {
      const answer = await act(id, action)
      expect([answer.status, answer.body.code]).toEqual([409, 'state_conflict'])
    }
    expect(await statusOf(id)).toBe('cancelled')
  })

  test.each(['pause', 'resume', 'cancel'])('%s knows only own calls', async (action) => {
    const { id } = (await placeWith({})).body.call
    expect((await act('call_none', action)).status).toBe(404)
    expect((await act(id, action, KEYS.other)).status).toBe(404)
    expect(await statusOf(id)).not.toMatch(/paused|cancelled/)
  })
})
