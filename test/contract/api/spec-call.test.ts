import { afterAll, beforeAll, expect, test } from 'vitest'

import { callOrderSchema } from '#shared/contract/call-order.ts'
import type { CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { anAttempt } from '#test/support/an-attempt.ts'
import { ALWAYS, anOrder, NOON } from '#test/support/an-order.ts'
import { KEYS } from '#test/support/api-ports.ts'
import { startApi } from '#test/support/api-server.ts'

const server = await startApi()
afterAll(() => server.stop())
const { ports } = server
const api = server.json(KEYS.live)
const LATER = NOON + 65_001

// oxlint-disable-next-line typescript/no-explicit-any -- as it came over the wire
let assistant: any
// oxlint-disable-next-line typescript/no-explicit-any -- as it came over the wire
let campaign: any
let count = 0

/** Stores an order with these attempts and asks for it. */
async function show(
  changes: Partial<CallOrder>,
  attempts: readonly Partial<CallAttempt>[] = [],
  // oxlint-disable-next-line typescript/no-explicit-any -- as it came over the wire
): Promise<any> {
  count += 1
  const id = `call_${String(count).padStart(26, '0')}`
  const after = anOrder({
    id,
    assistant: { kind: 'stored', assistantId: assistant.id, version: 1 },
    ...changes,
  })
  await ports.calls.save({ order: { before: null, after }, effects: [] })
  for (const [index, attempt] of attempts.entries()) {
    const stored = anAttempt({ orderId: id, id: `att_${index + 1}`, number: index + 1, ...attempt })
    await ports.calls.save({ attempt: { before: null, after: stored }, effects: [] })
  }
  const { status, body } = await api('GET', `/call/${id}`)
  expect([status, callOrderSchema.safeParse(body.call).error]).toEqual([200, undefined])
  return body.call
}

beforeAll(async () => {
  const body = { name: 'A', prompt: 'P', first_sentence_delay_ms: 250 }
  assistant = (await api('POST', '/assistants', body)).body.assistant
  const contacts = [{ to_phone_number: '+12025550100' }]
  const wanted = { name: 'Spring', assistant_id: assistant.id, contacts }
  campaign = (await api('POST', '/campaigns', wanted)).body.campaign
})

/** By field: what is stored, and what is shown of it. */
const ORDER: readonly [field: string, stored: Partial<CallOrder>, shown: () => unknown][] = [
  ['id', {}, () => expect.stringMatching(/^call_[0-9A-Z]{26}$/)],
  ['assignee', {}, () => null],
  ['assistant', {}, () => assistant],
  ['call_attempts', {}, () => []],
  ['last_call_attempt', {}, () => null],
  ['calls_count', {}, () => 0],
  [
    'call_retry_config',
    { retryConfig: { ...ALWAYS, maxRetryAttempts: 7, timezone: 'Europe/Paris' } },
    () => ({
      allowed_days: expect.arrayContaining(['sunday']),
      call_twice_in_a_row: false,
      calling_windows: expect.any(Array),
      max_retry_attempts: 7,
      timezone: 'Europe/Paris',
    }),
  ],
  ['campaign', {}, () => null],
  [
    'contact',
    {
      promptVariables: {
        company: 'Acme',
        email: 'g@example.com',
        first_name: 'Grace',
        job_title: 'Admiral',
        last_name: 'Hopper',
        other: 'x',
      },
    },
    () => ({
      company: 'Acme',
      email: 'g@example.com',
      first_name: 'Grace',
      job_title: 'Admiral',
      last_name: 'Hopper',
    }),
  ],
  ['created_at', { createdAt: LATER }, () => '2026-01-14T12:01:05.001Z'],
  ['direction', { direction: 'outbound' }, () => 'outbound'],
  ['first_sentence_delay_ms', {}, () => 250],
  ['from_phone_number', { fromPhoneNumber: '+12025550150' }, () => '+12025550150'],
  ['to_phone_number', { toPhoneNumber: '+12025550101' }, () => '+12025550101'],
  ['is_cancelled', { status: 'cancelled', dueAt: null }, () => true],
  ['is_completed', { status: 'completed', dueAt: null }, () => true],
  ['llm_model', {}, () => assistant.llm_model],
  ['metadata', { metadata: { Order_Id: '7', '': 'ü' } }, () => ({ Order_Id: '7', '': 'ü' })],
  ['prompt_variables', { promptVariables: { camelName: 'x' } }, () => ({ camelName: 'x' })],
  ['organization_id', {}, () => 'org_1'],
  ['scheduled_at', { scheduledAt: LATER }, () => '2026-01-14T12:01:05.001Z'],
  ['status', { status: 'scheduled' }, () => 'scheduled'],
  ['updated_at', { updatedAt: LATER }, () => '2026-01-14T12:01:05.001Z'],
  ['next_call_at', { dueAt: LATER }, () => '2026-01-14T12:01:05.001Z'],
  [
    'callback_from',
    { direction: 'inbound', callbackFrom: { callId: 'call_0', createdAt: NOON } },
    () => ({ call_id: 'call_0', created_at: '2026-01-14T12:00:00.000Z' }),
  ],
  ['cancel_reason', { cancelReason: 'prospect_called_back' }, () => 'prospect_called_back'],
  ['follow_up_emails', {}, () => null],
  ['outcome', { outcome: 'interested' }, () => 'interested'],
  ['outcome_summary', { outcomeSummary: 'Wants more' }, () => 'Wants more'],
  ['chat_channel_ids', {}, () => null],
  ['visual_number', { visualNumber: 12 }, () => 12],
]

test.each(ORDER)('spec 2.9 %s: is shown as it is stored', async (field, stored, shown) => {
  expect((await show(stored))[field]).toEqual(shown())
})

test.each<[field: string, stored: Partial<CallOrder>]>([
  ['from_phone_number', { fromPhoneNumber: null }],
  ['scheduled_at', { scheduledAt: null }],
  ['next_call_at', { dueAt: null }],
  ['callback_from', { callbackFrom: null }],
  ['cancel_reason', { cancelReason: null }],
  ['outcome', { outcome: null }],
  ['outcome_summary', { outcomeSummary: null }],
  ['visual_number', { visualNumber: null }],
])('spec 2.9 %s: is null where there is nothing to say', async (field, stored) => {
  expect((await show(stored))[field]).toBeNull()
})

test.each([
  'initializing',
  'queued_for_calling',
  'calling',
  'post_processing',
  'not_launched',
  'scheduled',
  'paused',
  'completed',
  'cancelled',
  'errored',
] as const)('spec 2.9 status: %s, and what is derived from it', async (status) => {
  expect(await show({ status })).toMatchObject({
    status,
    is_cancelled: status === 'cancelled',
    is_completed: status === 'completed',
  })
})

test.each(['inbound', 'outbound'] as const)('spec 2.9 direction: %s', async (direction) => {
  const numbers = { fromPhoneNumber: '+12025550102', toPhoneNumber: '+12025550103' }
  expect(await show({ direction, ...numbers })).toMatchObject({
    direction,
    from_phone_number: '+12025550102',
    to_phone_number: '+12025550103',
  })
})

test.each(['not_interested', 'interested', 'completed', 'requested_callback_later'] as const)(
  'spec 2.9 outcome: %s',
  async (outcome) => {
    expect((await show({ outcome })).outcome).toBe(outcome)
  },
)

test('spec 2.9 campaign: id and name of the campaign of the order', async () => {
  const reference = { campaignId: campaign.id, rowId: 'row_1', rowIndex: 0 }
  const shown = await show({ campaign: reference })
  expect(shown.campaign).toEqual({ id: campaign.id, name: 'Spring' })
})

test('spec 2.9 call_attempts, last_call_attempt and calls_count: the most recent first', async () => {
  const shown = await show({}, [
    { status: 'error' },
    { status: 'completed' },
    { status: 'ringing' },
  ])
  expect(shown.call_attempts.map(({ id }: { id: string }) => id)).toEqual([
    'att_3',
    'att_2',
    'att_1',
  ])
  expect(shown.last_call_attempt).toEqual(shown.call_attempts[0])
  expect(shown.calls_count).toBe(3)
})

const TRANSCRIPT: CallAttempt['transcript'] = [
  { role: 'user', content: 'Hello?' },
  { role: 'assistant', content: 'Hi, this is Ava.' },
  { role: 'human_agent', content: 'I take over.' },
  {
    role: 'tool',
    content: '',
    toolName: 'find_slot',
    toolArguments: { dayOfWeek: 1, nested_key: [null] },
    toolOutput: 'ok',
    toolIsError: false,
  },
  { role: 'tool', content: '', toolName: 't', toolArguments: 'raw', toolIsError: true },
]
const SPEECH: CallAttempt['speechEvents'] = [
  {
    id: 'sp_1',
    isRealTurn: false,
    speaker: 'user',
    startedSpeakingAtMs: 100,
    stoppedSpeakingAtMs: null,
    transcript: 'Hm',
    sttTranscriptionDelayMs: 80.5,
    llmSystemPrompt: null,
    llmTtftMs: null,
    llmWinnerModel: null,
    ttsTtfbMs: null,
    wasCut: null,
  },
  {
    id: 'sp_2',
    isRealTurn: true,
    speaker: 'agent',
    startedSpeakingAtMs: 900,
    stoppedSpeakingAtMs: 1_900,
    transcript: 'Hi',
    sttTranscriptionDelayMs: null,
    llmSystemPrompt: '[{"role":"system"}]',
    llmTtftMs: 210,
    llmWinnerModel: 'm',
    ttsTtfbMs: 95,
    wasCut: true,
  },
]
const PERSON = { id: 'user_1', email: 'a@example.com', firstName: 'Ada', lastName: null }

const ATTEMPT: readonly [field: string, stored: Partial<CallAttempt>, shown: unknown][] = [
  ['id', {}, 'att_1'],
  ['phone_number', { phoneNumber: '+12025550101' }, '+12025550101'],
  ['status', { status: 'ongoing' }, 'ongoing'],
  ['result', { result: 'human' }, 'human'],
  ['dial_error', { dialError: 'busy' }, 'busy'],
  ['recording_url', { recordingKey: 'r/1.wav' }, 'https://recordings.example/r/1.wav?signed'],
  ['started_at', { dialStartedAt: NOON }, '2026-01-14T12:00:00.000Z'],
  ['answered_at', { answeredAt: LATER }, '2026-01-14T12:01:05.001Z'],
  ['ended_at', { endedAt: LATER, leaseUntil: null }, '2026-01-14T12:01:05.001Z'],
  ['handled_by_ai', { handledByAi: true }, true],
  ['handled_by_human', { handledByHuman: true }, true],
  [
    'handled_by_user',
    { handledByUser: PERSON },
    { id: 'user_1', email: 'a@example.com', first_name: 'Ada', last_name: null },
  ],
  ['assistants_used', { assistantsUsed: ['n1', 'n2'] }, ['n1', 'n2']],
  ['end_reason', { endReason: 'tool_end_call' }, 'tool_end_call'],
  ['ended_by', { endedBy: 'agent' }, 'agent'],
  [
    'structured_output',
    { structuredOutput: { some_key: 1, otherKey: { innerKey: true } } },
    { some_key: 1, otherKey: { innerKey: true } },
  ],
  ['transcript', { transcript: TRANSCRIPT }, expect.objectContaining({ length: 5 })],
  ['post_call_transcript', {}, null],
  ['email_log', {}, []],
  ['sms_log', {}, []],
  ['speech_events', { speechEvents: SPEECH }, expect.objectContaining({ length: 2 })],
]

test.each(ATTEMPT)('spec 2.10 %s: is shown as it is stored', async (field, stored, expected) => {
  const [shown] = (await show({}, [stored])).call_attempts
  expect(shown[field]).toEqual(expected)
})

test.each<[field: string, stored: Partial<CallAttempt>]>([
  ['result', { result: null }],
  ['dial_error', { dialError: null }],
  ['recording_url', { recordingKey: null }],
  ['started_at', { dialStartedAt: null }],
  ['answered_at', { answeredAt: null }],
  ['ended_at', { endedAt: null }],
  ['handled_by_user', { handledByUser: null }],
  ['assistants_used', { assistantsUsed: null }],
  ['end_reason', { endReason: null }],
  ['ended_by', { endedBy: null }],
  ['structured_output', { structuredOutput: null }],
])('spec 2.10 %s: is null where there is nothing to say', async (field, stored) => {
  expect((await show({}, [stored])).last_call_attempt[field]).toBeNull()
})

const ENUMS: readonly [field: string, stored: (value: never) => object, values: string][] = [
  ['status', (status) => ({ status }), 'queued ringing ongoing completed error'],
  ['result', (result) => ({ result }), 'IVR voicemail human unknown handset-screening-filter'],
  [
    'dial_error',
    (dialError) => ({ dialError }),
    'number_non_attributed too_many_calls busy temporarily_unavailable no_answer ' +
      'no_international_permission precondition_failed non_classified_error',
  ],
  [
    'end_reason',
    (endReason) => ({ endReason }),
    'client_initiated connection_timeout human_takeover ivr_no_navigate max_duration ' +
      'participant_removed tool_end_call transfer user_inactive user_rejected user_unavailable ' +
      'voicemail speed_dial_abandoned speed_dial_operator_missed speed_dial_timeout ' +
      'speed_dial_hangup',
  ],
  ['ended_by', (endedBy) => ({ endedBy }), 'agent user system'],
]
test.each(ENUMS)('spec 2.10 %s: every value', async (field, stored, values) => {
  for (const value of values.split(' ')) {
    expect((await show({}, [stored(value as never)])).last_call_attempt[field]).toBe(value)
  }
})

const ENTRIES: readonly [field: string, shown: readonly unknown[]][] = [
  ['content', ['Hello?', 'Hi, this is Ava.', 'I take over.', '', '']],
  ['role', ['user', 'assistant', 'human_agent', 'tool', 'tool']],
  ['tool_arguments', [null, null, null, { dayOfWeek: 1, nested_key: [null] }, 'raw']],
  ['tool_is_error', [null, null, null, false, true]],
  ['tool_name', [null, null, null, 'find_slot', 't']],
  ['tool_output', [null, null, null, 'ok', null]],
]
test.each(ENTRIES)('spec 2.10 transcript.%s', async (field, expected) => {
  const { transcript } = (await show({}, [{ transcript: TRANSCRIPT }])).last_call_attempt
  expect(transcript.map((entry: Record<string, unknown>) => entry[field])).toEqual(expected)
})

const EVENTS: readonly [field: string, shown: readonly unknown[]][] = [
  ['id', ['sp_1', 'sp_2']],
  ['is_real_turn', [false, true]],
  ['speaker', ['user', 'agent']],
  ['started_speaking_at_ms', [100, 900]],
  ['stopped_speaking_at_ms', [null, 1_900]],
  ['transcript', ['Hm', 'Hi']],
  ['stt_transcription_delay_ms', [80.5, null]],
  ['llm_system_prompt', [null, '[{"role":"system"}]']],
  ['llm_ttft_ms', [null, 210]],
  ['llm_winner_model', [null, 'm']],
  ['tts_ttfb_ms', [null, 95]],
  ['was_cut', [null, true]],
]
test.each(EVENTS)('spec 2.10 speech_events.%s', async (field, expected) => {
  const events = (await show({}, [{ speechEvents: SPEECH }])).last_call_attempt.speech_events
  expect(events.map((event: Record<string, unknown>) => event[field])).toEqual(expected)
})
