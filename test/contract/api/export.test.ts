import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { exportCallsAnswer } from '#shared/contract/call-export.ts'
import { NOON } from '#test/support/an-order.ts'
import { KEYS } from '#test/support/api-ports.ts'
import { type Api, fieldErrorsOf, startApi } from '#test/support/api-server.ts'
import { parseCsv } from '#test/support/parse-csv.ts'
import { callId, seedCalls } from '#test/support/seed-calls.ts'

const HOUR = 3_600_000

let api: Api
let assistantId: string
beforeAll(async () => {
  api = await startApi()
  const json = { name: '=A "great", one', prompt: 'P' }
  const created = await api.request('POST', '/v1/assistants', { json })
  assistantId = created.body.assistant.id
  const assistant = { kind: 'stored', assistantId, version: 1 } as const
  await seedCalls(api.ports, [
    {
      id: callId(0),
      createdAt: NOON - 2 * HOUR,
      assistant,
      fromPhoneNumber: '+12025550199',
      outcome: 'interested',
      outcomeSummary: 'Wants\r\nan "offer"',
      promptVariables: { first_name: '@ada', company: 'ACME, Inc.', note: '-1' },
      metadata: { customer: '7', '=x': '+1' },
      attempts: [
        {
          status: 'completed',
          result: 'human',
          dialStartedAt: NOON - HOUR,
          answeredAt: NOON - HOUR + 5_000,
          endedAt: NOON,
          leaseUntil: null,
          endReason: 'tool_end_call',
          endedBy: 'agent',
          recordingKey: 'r.wav',
          structuredOutput: { budget: 5, when: null, tags: ['a'] },
          transcript: [
            { role: 'assistant', content: 'Hi' },
            { role: 'user', content: 'Hello' },
          ],
        },
      ],
    },
    { id: callId(1), createdAt: NOON - HOUR, assistant, status: 'paused' },
    { id: callId(2), createdAt: NOON - HOUR, assistant, organizationId: 'org_2' },
  ])
})
afterAll(() => api.stop())

const exportCalls = (json: unknown, key = KEYS.test) =>
  api.request('POST', '/v1/call/export', { json, key })

describe('POST /call/export', () => {
  test('spec 4.4 POST /call/export answers csv, filename and next_offset', async () => {
    const answer = await exportCalls({})
    expect(answer.status).toBe(200)
    expect(exportCallsAnswer.parse(answer.body)).toEqual(answer.body)
    expect(answer.body.filename).toBe('calls_org_1_2026-01-14.csv')
    expect(answer.body.next_offset).toBeNull()
    const [header = [], ...rows] = parseCsv(answer.body.csv)
    const [first, second] = rows.map((row) =>
      Object.fromEntries(header.map((name, index) => [name, row[index]])),
    )
    expect(rows).toHaveLength(2)
    expect(first).toEqual({
      id: callId(0),
      created_at: '2026-01-14T10:00:00.000Z',
      updated_at: '2026-01-14T12:00:00.000Z',
      direction: 'outbound',
      status: 'completed',
      cancel_reason: '',
      from_phone_number: '+12025550199',
      to_phone_number: '+12025550100',
      assistant_id: assistantId,
      assistant_name: '\'=A "great", one',
      campaign_id: '',
      campaign_name: '',
      first_name: "'@ada",
      last_name: '',
      company: 'ACME, Inc.',
      job_title: '',
      email: '',
      scheduled_at: '',
      next_call_at: '',
      calls_count: '1',
      result: 'human',
      dial_error: '',
      started_at: '2026-01-14T11:00:00.000Z',
      answered_at: '2026-01-14T11:00:05.000Z',
      ended_at: '2026-01-14T12:00:00.000Z',
      ended_by: 'agent',
      end_reason: 'tool_end_call',
      outcome: 'interested',
      outcome_summary: 'Wants\r\nan "offer"',
      structured_output: '{"budget":5,"when":null,"tags":["a"]}',
      metadata: '{"customer":"7","=x":"+1"}',
    })
    expect(second).toMatchObject({ id: callId(1), status: 'paused', calls_count: '0', result: '' })
  })

  test('decisions 2 POST /call/export columns: in the order asked for, of maps too', async () => {
    const columns = [
      'to_phone_number',
      'prompt_variables.note',
      'metadata.=x',
      'metadata.toString',
      'structured_output.budget',
      'structured_output.tags',
      'structured_output.when',
      'transcript',
      'recording_url',
      'prompt_variables',
      'id',
    ]
    const answer = await exportCalls({ columns, outcomes: ['interested'] })
    expect(parseCsv(answer.body.csv)).toEqual([
      columns,
      [
        '+12025550100',
        "'-1",
        "'+1",
        '',
        '5',
        '["a"]',
        '',
        'assistant: Hi\nuser: Hello',
        'https://recordings.example/r.wav?signed',
        '{"first_name":"@ada","company":"ACME, Inc.","note":"-1"}',
        callId(0),
      ],
    ])
  })

  test.each<[string, object, number[]]>([
    ['the same filters as the search', { statuses: ['paused'] }, [1]],
    ['phone_number', { phone_number: '+12025550100' }, [0, 1]],
    ['nothing found: the header alone', { query: 'nobody' }, []],
  ])('decisions 2 POST /call/export %s', async (_, filters, wanted) => {
    const answer = await exportCalls({ columns: ['id'], ...filters })
    expect(parseCsv(answer.body.csv)).toEqual([['id'], ...wanted.map((index) => [callId(index)])])
  })

  test.each<[object, string, string]>([
    [{ columns: ['nothing'] }, '/columns/0', 'invalid_value'],
    [{ columns: ['nothing.x'] }, '/columns/0', 'invalid_value'],
    [{ columns: [] }, '/columns', 'too_short'],
    [{ limit: 1_001 }, '/limit', 'too_big'],
    [{ limit: 0 }, '/limit', 'too_small'],
    [{ offset: 7 }, '/offset', 'invalid_type'],
    [{ offset: 'x' }, '/offset', 'invalid_cursor'],
    [{ cursor: null }, '/cursor', 'unknown_field'],
  ])('decisions 2 POST /call/export refuses %j', async (json, pointer, code) => {
    expect(fieldErrorsOf(await exportCalls(json))).toEqual([[pointer, code]])
  })

  test('spec 5.2 POST /call/export gives nobody the calls of another organization', async () => {
    const answer = await exportCalls({ columns: ['organization_id'] }, KEYS.other)
    expect(fieldErrorsOf(answer)).toEqual([['/columns/0', 'invalid_value']])
    const own = await exportCalls({ columns: ['id'] }, KEYS.other)
    expect(parseCsv(own.body.csv)).toEqual([['id'], [callId(2)]])
  })
})
