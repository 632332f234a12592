import { afterAll, describe, expect, test } from 'vitest'

import { KEYS } from '#test/support/api-ports.ts'
import { startApi } from '#test/support/api-server.ts'
import { type FieldRow, fieldTests } from '#test/support/field-rows.ts'
import { FULL_ASSISTANT } from '#test/support/full-assistant.ts'

const server = await startApi()
afterAll(() => server.stop())
const api = server.json(KEYS.live)

const OUTCOMES = [
  'not_interested',
  'interested',
  'completed',
  'requested_callback_later',
  'none',
] as const
const PHONE = '+12025550120'

const text = (field: string): FieldRow => ({ field, takes: ['', 'Zoë {{x}} 👋'], refuses: [[1]] })
const nullableText = (field: string): FieldRow => ({
  field,
  takes: [null, '', 'Hello {{first_name}}'],
  refuses: [[1], [{}], [['x']]],
})
const flag = (field: string): FieldRow => ({
  field,
  takes: [true, false],
  refuses: [['yes'], [1], [null]],
})
const share = (field: string): FieldRow => ({
  field,
  takes: [0, 0.5, 1],
  refuses: [[-0.001], [1.001], ['0.5'], [null]],
})
const outcomes = (field: string): FieldRow => ({
  field,
  takes: [null, [], ['none'], OUTCOMES],
  refuses: [[['won'], '/0'], ['none']],
})
const url = (field: string): FieldRow => ({
  field,
  takes: [null, 'https://example.com/a?b=c'],
  refuses: [['example.com'], ['ftp://example.com'], [1]],
})
const choice = (field: string, values: readonly unknown[], isNullable: boolean): FieldRow => ({
  field,
  takes: isNullable ? [...values, null] : values,
  refuses: isNullable ? [['other'], [1]] : [['other'], [1], [null]],
})
const node = {
  id: 'n1',
  data: { body: 'B', title: 'T' },
  position: { x: 0, y: -1.5 },
  type: 'promptBlock',
}
const chat = { channels: [{ id: 'C1' }], connection_id: 'conn_1', outcomes: OUTCOMES }
const crmB = {
  connection_id: 'conn_1',
  field_mapping: [{ source: 's', crm_field: 'F' }],
  log_call_activity: false,
  module: 'Leads',
  outcomes: ['none'],
  template: null,
}

const ROWS: readonly FieldRow[] = [
  { ...text('name'), refuses: [[1], [null], [undefined]] },
  choice('type', ['standalone', 'multi-step', 'sub-assistant'], false),
  { ...text('prompt'), refuses: [[1], [null], [undefined]] },
  {
    field: 'prompt_flow',
    takes: [
      null,
      { edges: [], nodes: [] },
      { edges: [{ id: 'e', source: 'a', target: 'b' }], nodes: [node] },
    ],
    refuses: [
      [{ edges: [] }, '/nodes'],
      [{ edges: [], nodes: [{ ...node, type: 'other' }] }, '/nodes/0/type'],
      [{ edges: [{ id: 1, source: 'a', target: 'b' }], nodes: [] }, '/edges/0/id'],
    ],
  },
  {
    field: 'position',
    takes: [null, { x: -1, y: 0.5 }],
    refuses: [
      [{ x: 1 }, '/y'],
      [{ x: '1', y: 1 }, '/x'],
    ],
  },
  nullableText('first_sentence'),
  choice('first_sentence_mode', ['generated', 'static', 'none'], false),
  { field: 'first_sentence_delay_ms', takes: [0, 400, 60_000], refuses: [[-1], [60_001], ['4']] },
  nullableText('end_of_call_sentence'),
  { field: 'max_call_duration_secs', takes: [1, 14_400], refuses: [[0], [14_401], [null]] },
  {
    field: 'max_duration_end_message',
    takes: [null, '', 'x'.repeat(150)],
    refuses: [['x'.repeat(151)], [1]],
  },
  nullableText('voicemail_message'),
  nullableText('voicemail_sms_prompt'),
  outcomes('after_call_sms_outcomes'),
  nullableText('after_call_sms_prompt'),
  flag('sms_enabled'),
  nullableText('sms_template'),
  choice('background_sound', ['audio/office.ogg'], true),
  share('background_sound_volume'),
  choice(
    'thinking_sound',
    [
      'city-ambience.ogg',
      'forest-ambience.ogg',
      'office-ambience.ogg',
      'crowded-room.ogg',
      'keyboard-typing.ogg',
      'keyboard-typing2.ogg',
      'hold_music.ogg',
    ],
    true,
  ),
  share('thinking_sound_probability'),
  share('thinking_sound_volume'),
  {
    field: 'voice',
    takes: [null, FULL_ASSISTANT.voice],
    refuses: [['v'], [{ id: 'v' }, '/provider']],
  },
  {
    field: 'llm_model',
    takes: [FULL_ASSISTANT.llm_model],
    refuses: [[null], [{}, '/type'], [{ type: 'other' }, '/type']],
  },
  choice('stt_model', ['stt-rt-v4', 'stt-rt-v5'], false),
  {
    field: 'stt_context',
    takes: [null, { general: [], terms: [] }, FULL_ASSISTANT.stt_context],
    refuses: [
      [{ general: [{ key: '', value: 'v' }] }, '/general/0/key'],
      [{ general: [{ key: 'k', value: '' }] }, '/general/0/value'],
      [{ terms: [1] }, '/terms/0'],
    ],
  },
  nullableText('tts_dictionary_pronunciation_id'),
  flag('ivr_navigation_enabled'),
  choice('human_transfer_mode', ['warm', 'cold'], true),
  {
    field: 'transfer_destinations',
    takes: [
      null,
      [],
      [
        { label: 'x', phone_number: PHONE },
        { label: 'x'.repeat(60), phone_number: PHONE },
      ],
    ],
    refuses: [
      [[{ label: '', phone_number: PHONE }], '/0/label'],
      [[{ label: 'x'.repeat(61), phone_number: PHONE }], '/0/label'],
      [[{ label: 'x', phone_number: '911' }], '/0/phone_number'],
    ],
  },
  { field: 'transfer_phone_number', takes: [PHONE], refuses: [['911'], ['tel:x'], [1]] },
  nullableText('warm_transfer_summary_instructions'),
  { field: 'custom_tools', takes: [null, [], FULL_ASSISTANT.custom_tools], refuses: [[{}]] },
  {
    field: 'email_notification_address',
    takes: [null, 'a@example.com', 'a@example.com, b@example.com'],
    refuses: [['a'], ['a@example.com;b@example.com'], ['a@example.com,']],
  },
  outcomes('email_notification_outcomes'),
  url('webhook_url'),
  {
    field: 'structured_output_config',
    takes: [null, [], FULL_ASSISTANT.structured_output_config],
    refuses: [[{}]],
  },
  nullableText('structured_output_prompt'),
  { field: 'from_phone_number', takes: [null, PHONE], refuses: [['12025550120'], ['']] },
  {
    field: 'call_retry_config',
    takes: [null, FULL_ASSISTANT.call_retry_config],
    refuses: [[[]], [{ retries: 1 }, '/retries']],
  },
  {
    field: 'scheduling',
    takes: [null, { connection_id: 'conn_1', event_type_id: '7' }],
    refuses: [[{ connection_id: 'conn_1' }, '/event_type_id']],
  },
  {
    field: 'crm_a',
    takes: [null, FULL_ASSISTANT.crm_a],
    refuses: [
      [{ meeting_links: [] }, '/connection_id'],
      [{ connection_id: 'c', precall_lookup_enabled: 'no' }, '/precall_lookup_enabled'],
    ],
  },
  {
    field: 'chat',
    takes: [
      null,
      FULL_ASSISTANT.chat,
      { ...chat, template: null },
      { ...chat, template: '{{summary}}' },
    ],
    refuses: [
      [{ ...chat, outcomes: ['won'] }, '/outcomes/0'],
      [{ ...chat, channels: [{}] }, '/channels/0/id'],
    ],
  },
  {
    field: 'crm_b',
    takes: [null, crmB, { ...crmB, log_call_activity: true, template: 'T' }],
    refuses: [
      [{ ...crmB, module: '' }, '/module'],
      [{ ...crmB, field_mapping: [{ source: '', crm_field: 'F' }] }, '/field_mapping/0/source'],
      [{ ...crmB, field_mapping: [{ source: 's', crm_field: '' }] }, '/field_mapping/0/crm_field'],
      [{ ...crmB, outcomes: null }, '/outcomes'],
    ],
  },
  url('precall_lookup_url'),
  url('logo_url'),
  flag('is_inbound_receptionist'),
  flag('is_realestate_assistant'),
]

fieldTests(ROWS, {
  section: '2.1',
  api,
  body: (field, value) => ({ [field]: value }),
  read: (assistant, field) => assistant[field],
  pointer: (field) => `/${field}`,
})

describe('what the service sets', () => {
  const SET = {
    id: expect.stringMatching(/^asst_[0-9A-HJKMNP-TV-Z]{26}$/),
    organization_id: 'org_1',
    pending_faq_count: 0,
    created_by: expect.objectContaining({
      id: 'user_1',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
    }),
    created_at: '2026-01-14T12:00:00.000Z',
    updated_at: '2026-01-14T12:00:00.000Z',
  }
  test.each(Object.entries(SET))(
    'spec 2.1 %s: is set by the service, and ignored when it is sent back',
    async (field, expected) => {
      const sent = { name: 'A', prompt: 'P', [field]: 'mine' }
      const { status, body } = await api('POST', '/assistants', sent)
      expect([status, body.assistant[field]]).toEqual([200, expected])
    },
  )

  test('spec 2.1 faq_items: questions and answers, to which id, source and needs_human_answer come', async () => {
    const faq = { question: 'Where?', answer: 'Here.' }
    const { body } = await api('POST', '/assistants', { name: 'A', prompt: 'P', faq_items: [faq] })
    expect(body.assistant.faq_items).toEqual([
      { ...faq, id: expect.stringMatching(/^faq_/), needs_human_answer: false, source: 'human' },
    ])
    const incomplete = { name: 'A', prompt: 'P', faq_items: [{ question: 'Where?' }] }
    const refused = await api('POST', '/assistants', incomplete)
    expect(refused.body.errors).toMatchObject([{ pointer: '/faq_items/0/answer' }])
  })
})

test('every field at once comes back as it was sent', async () => {
  const { body } = await api('POST', '/assistants', FULL_ASSISTANT)
  const { faq_items: faqItems, ...rest } = FULL_ASSISTANT
  expect(body.assistant).toMatchObject(rest)
  expect(body.assistant.faq_items).toMatchObject(faqItems)
})
