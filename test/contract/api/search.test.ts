import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { searchCallsAnswer } from '#shared/contract/call-search.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { anAttempt } from '#test/support/an-attempt.ts'
import { anOrder, NOON } from '#test/support/an-order.ts'
import { KEYS } from '#test/support/api-ports.ts'
import { type Api, fieldErrorsOf, startApi } from '#test/support/api-server.ts'
import { callId, seedCalls } from '#test/support/seed-calls.ts'

const HOUR = 3_600_000

let api: Api
let assistant: CallOrder['assistant']
beforeAll(async () => {
  api = await startApi()
  const json = { name: 'A', prompt: 'P' }
  const created = await api.request('POST', '/v1/assistants', { json })
  assistant = { kind: 'stored', assistantId: created.body.assistant.id, version: 1 }
})
afterAll(() => api.stop())

const search = (json: unknown, key = KEYS.test) =>
  api.request('POST', '/v1/call/search', { json, key })
const idsOf = (answer: { body: { calls: { id: string }[] } }) =>
  answer.body.calls.map(({ id }) => id)

describe('POST /call/search', () => {
  const lastAttempt = (result: 'human' | 'voicemail') => ({
    number: 1,
    startedAt: NOON - HOUR,
    endedAt: NOON,
    result,
    dialError: null,
  })
  beforeAll(async () => {
    const common = { assistant }
    await seedCalls(api.ports, [
      {
        ...common,
        id: callId(1),
        createdAt: NOON - 40 * 24 * HOUR,
        promptVariables: { first_name: 'Grace', company: 'ACME' },
        metadata: { customer: '7', tier: 'gold' },
        outcome: 'interested',
        lastAttempt: lastAttempt('human'),
        attempts: [{ status: 'completed', result: 'human', endedAt: NOON, leaseUntil: null }],
      },
      {
        ...common,
        id: callId(2),
        createdAt: NOON - 3 * HOUR,
        direction: 'inbound',
        toPhoneNumber: '+12025550199',
        fromPhoneNumber: '+12025550110',
        metadata: { customer: '7', tier: 'lead' },
        lastAttempt: lastAttempt('voicemail'),
        campaign: { campaignId: 'camp_1', rowId: 'row_1', rowIndex: 0 },
      },
      {
        id: callId(3),
        createdAt: NOON - 2 * HOUR,
        status: 'paused',
        assistant: {
          kind: 'inline',
          settings: (await api.ports.assistants.find(
            'org_1',
            (assistant as { assistantId: string }).assistantId,
          )) as never,
        },
      },
      { ...common, id: callId(4), createdAt: NOON - 2 * HOUR, organizationId: 'org_2' },
    ])
  })

  test('spec 4.4 POST /call/search answers calls as GET /call/{id} shows them, and how many', async () => {
    const answer = await search({})
    expect(answer.status).toBe(200)
    expect(searchCallsAnswer.parse(answer.body)).toEqual(answer.body)
    expect(idsOf(answer)).toEqual([callId(3), callId(2), callId(1)])
    expect(answer.body).toMatchObject({ total_count: 3, next_cursor: null })
    for (const call of answer.body.calls) {
      const found = await api.request('GET', `/v1/call/${call.id}`)
      expect(found.body).toEqual({ call })
    }
  })

  test.each<[string, (id: string) => object, number[]]>([
    ['query: part of a name, in any case', () => ({ query: 'gRaCe' }), [1]],
    ['query: part of a number', () => ({ query: '5550110' }), [2]],
    ['query: an id', () => ({ query: callId(3) }), [3]],
    ['query: nothing restricts nothing', () => ({ query: '' }), [3, 2, 1]],
    ['assistant_ids', (id) => ({ assistant_ids: [id] }), [2, 1]],
    [
      'assistant_ids: an assistant of one call only',
      () => ({ assistant_ids: [callId(3).replace('call', 'asst')] }),
      [3],
    ],
    ['campaign_ids', () => ({ campaign_ids: ['camp_0', 'camp_1'] }), [2]],
    ['statuses: OR inside the field', () => ({ statuses: ['paused', 'errored'] }), [3]],
    ['results', () => ({ results: ['human', 'voicemail'] }), [2, 1]],
    ['results: none', () => ({ results: ['none'] }), [3]],
    ['outcomes', () => ({ outcomes: ['interested'] }), [1]],
    ['outcomes: none', () => ({ outcomes: ['none'] }), [3, 2]],
    ['directions', () => ({ directions: ['inbound'] }), [2]],
    ['phone_number: called', () => ({ phone_number: '+12025550100' }), [3, 1]],
    ['phone_number: calling', () => ({ phone_number: '+12025550110' }), [2]],
    ['created_from is included', () => ({ created_from: '2026-01-14T10:00:00Z' }), [3]],
    ['created_to is excluded', () => ({ created_to: '2026-01-14T11:00:00+01:00' }), [2, 1]],
    ['metadata: one pair', () => ({ metadata: { customer: '7' } }), [2, 1]],
    ['metadata: all pairs', () => ({ metadata: { customer: '7', tier: 'lead' } }), [2]],
    ['AND between fields', () => ({ directions: ['outbound'], outcomes: ['none'] }), [3]],
    ['an empty list restricts nothing', () => ({ statuses: [], metadata: {} }), [3, 2, 1]],
    ['sort: oldest first', () => ({ sort: 'created_at:asc' }), [1, 2, 3]],
    ['sort: newest first', () => ({ sort: 'created_at:desc' }), [3, 2, 1]],
  ])('decisions 2 POST /call/search %s', async (_, bodyFor, wanted) => {
    const answer = await search(bodyFor((assistant as { assistantId: string }).assistantId))
    expect(idsOf(answer)).toEqual(wanted.map(callId))
    expect(answer.body.total_count).toBe(wanted.length)
  })

  test.each<[object, string, string]>([
    [{ statuses: ['done'] }, '/statuses/0', 'invalid_value'],
    [{ results: ['all'] }, '/results/0', 'invalid_value'],
    [{ outcomes: 'none' }, '/outcomes', 'invalid_type'],
    [{ phone_number: '0123' }, '/phone_number', 'invalid_phone_number'],
    [{ created_from: '2026-01-14T10:00:00' }, '/created_from', 'invalid_timestamp'],
    [{ metadata: { a: 1 } }, '/metadata/a', 'invalid_type'],
    [{ metadata: { a: 'x'.repeat(600) } }, '/metadata', 'too_long'],
    [{ sort: 'updated_at:asc' }, '/sort', 'invalid_value'],
    [{ limit: 201 }, '/limit', 'too_big'],
    [{ limit: 0 }, '/limit', 'too_small'],
    [{ limit: 1.5 }, '/limit', 'invalid_type'],
    [{ cursor: 'abc' }, '/cursor', 'invalid_cursor'],
    [{ offset: 'abc' }, '/offset', 'unknown_field'],
  ])('decisions 2 POST /call/search refuses %j', async (json, pointer, code) => {
    expect(fieldErrorsOf(await search(json))).toEqual([[pointer, code]])
  })

  test('spec 5.2 POST /call/search shows nobody the calls of another organization', async () => {
    const answer = await search({}, KEYS.other)
    expect(answer.body.total_count).toBe(1)
    const mine = await search({ limit: 1 })
    const stolen = await search({ cursor: mine.body.next_cursor }, KEYS.other)
    expect(idsOf(stolen).every((id) => id === callId(4))).toBe(true)
  })

  test('POST /call/search asks for the scope calls:read only', async () => {
    expect((await search({}, KEYS.readOnly)).status).toBe(200)
  })
})

describe('paging', () => {
  let paged: Api
  beforeAll(async () => {
    paged = await startApi()
  })
  afterAll(() => paged.stop())

  test('decisions 1 an answer of calls has at most 5 MB; the cursor goes on behind its last call', async () => {
    const { ports } = paged
    const json = { name: 'A', prompt: 'P' }
    const own = (await paged.request('POST', '/v1/assistants', { json })).body.assistant
    const transcript = [{ role: 'user' as const, content: '"'.repeat(300_000) }]
    const ended = { endedAt: NOON, leaseUntil: null, status: 'completed' as const }
    const orders = Array.from({ length: 12 }, (_, index) => {
      const id = callId(5_000 + index)
      const order = anOrder({
        id,
        dueAt: null,
        createdAt: NOON + index,
        metadata: { size: 'large' },
        assistant: { kind: 'stored', assistantId: own.id, version: 1 },
      })
      return { order, attempt: anAttempt({ orderId: id, transcript, ...ended }) }
    })
    for (const { order, attempt } of orders) {
      await ports.calls.save({
        order: { before: null, after: order },
        attempt: { before: null, after: attempt },
        effects: [],
      })
    }
    const listed: string[] = []
    let cursor: string | null = null
    do {
      const json = { limit: 200, cursor, metadata: { size: 'large' }, sort: 'created_at:asc' }
      const answer = await paged.request('POST', '/v1/call/search', { json })
      expect(JSON.stringify(JSON.stringify(answer.body)).length).toBeLessThan(5_500_000)
      expect(answer.body.calls.length).toBeGreaterThan(0)
      expect(answer.body.calls.length).toBeLessThan(12)
      expect(answer.body.total_count).toBe(12)
      listed.push(...idsOf(answer))
      cursor = answer.body.next_cursor
    } while (cursor !== null)
    expect(listed).toEqual(orders.map(({ order }) => order.id))
  })
})
