import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { phoneHistoryAnswer } from '#shared/contract/phone-history.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { NOON } from '#test/support/an-order.ts'
import { KEYS } from '#test/support/api-ports.ts'
import { type Api, fieldErrorsOf, startApi } from '#test/support/api-server.ts'
import { callId, seedCalls } from '#test/support/seed-calls.ts'

const HOUR = 3_600_000

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.stop())

const history = (query = '', key = KEYS.test) =>
  api.request('GET', `/v1/calls/phone-history${query}`, { key })
const lastAttempt = (changes: Partial<NonNullable<CallOrder['lastAttempt']>>) => ({
  number: 1,
  startedAt: NOON - HOUR,
  endedAt: NOON,
  result: null,
  dialError: null,
  ...changes,
})

describe('GET /calls/phone-history', () => {
  test('spec 4.4 GET /calls/phone-history of an organization without calls is empty', async () => {
    const answer = await history()
    expect([answer.status, answer.body]).toEqual([200, { phone_history: [], next_cursor: null }])
  })

  test('decisions 2 GET /calls/phone-history says of each number what its calls say', async () => {
    const ada = { toPhoneNumber: '+12025550101' }
    await seedCalls(api.ports, [
      { id: callId(1), ...ada, createdAt: NOON - 5 * HOUR, lastAttempt: lastAttempt({}) },
      { id: callId(2), createdAt: NOON - 4 * HOUR, status: 'errored' },
      {
        id: callId(3),
        ...ada,
        createdAt: NOON - 3 * HOUR,
        outcome: 'interested',
        lastAttempt: lastAttempt({ result: 'human' }),
      },
      {
        id: callId(4),
        createdAt: NOON - 2 * HOUR,
        direction: 'inbound',
        fromPhoneNumber: '+12025550101',
        toPhoneNumber: '+12025550199',
        outcome: 'requested_callback_later',
        lastAttempt: lastAttempt({ result: 'human' }),
      },
      {
        id: callId(5),
        createdAt: NOON - HOUR,
        direction: 'inbound',
        fromPhoneNumber: null,
        toPhoneNumber: '+12025550199',
      },
      { id: callId(6), ...ada, createdAt: NOON, organizationId: 'org_2' },
    ])
    const suppressed = { id: '+12025550100', organizationId: 'org_1', reason: null, createdAt: 0 }
    await api.ports.suppressions.save({ before: null, after: { ...suppressed, version: 1 } })
    const answer = await history()
    expect(phoneHistoryAnswer.parse(answer.body)).toEqual(answer.body)
    expect(answer.body).toEqual({
      phone_history: [
        {
          phone_number: '+12025550101',
          calls_count: 3,
          answered_count: 2,
          inbound_count: 1,
          last_call_id: callId(4),
          last_call_at: '2026-01-14T10:00:00.000Z',
          last_status: 'completed',
          last_outcome: 'requested_callback_later',
          suppressed: false,
        },
        {
          phone_number: '+12025550100',
          calls_count: 1,
          answered_count: 0,
          inbound_count: 0,
          last_call_id: callId(2),
          last_call_at: '2026-01-14T08:00:00.000Z',
          last_status: 'errored',
          last_outcome: null,
          suppressed: true,
        },
      ],
      next_cursor: null,
    })
  })

  test('decisions 1 GET /calls/phone-history is paged: each number once, newest first', async () => {
    const paged = await startApi()
    const numberOf = (index: number) => `+1202555${String(1_000 + ((index * 7) % 130))}`
    await seedCalls(
      paged.ports,
      Array.from({ length: 1_300 }, (_, index) => ({
        id: callId(index),
        createdAt: NOON - HOUR + index,
        toPhoneNumber: numberOf(index),
      })),
    )
    const numbers: string[] = []
    let cursor: string | null = null
    do {
      const next: string = cursor === null ? '' : `&cursor=${cursor}`
      const answer = await paged.request('GET', `/v1/calls/phone-history?limit=40${next}`)
      for (const entry of answer.body.phone_history) {
        expect(entry.calls_count).toBe(10)
        numbers.push(entry.phone_number)
      }
      cursor = answer.body.next_cursor
    } while (cursor !== null)
    expect(numbers).toEqual(Array.from({ length: 130 }, (_, index) => numberOf(1_299 - index)))
    await paged.stop()
  })

  test.each([
    ['?limit=0', '/limit', 'too_small'],
    ['?limit=1001', '/limit', 'too_big'],
    ['?cursor=abc', '/cursor', 'invalid_cursor'],
    ['?page=1', '/page', 'unknown_field'],
  ])('decisions 1 GET /calls/phone-history%s is refused', async (query, pointer, code) => {
    expect(fieldErrorsOf(await history(query))).toEqual([[pointer, code]])
  })

  test('spec 5.2 GET /calls/phone-history shows nobody the calls of another organization', async () => {
    const answer = await history('', KEYS.other)
    expect(answer.body.phone_history).toMatchObject([{ calls_count: 1, last_call_id: callId(6) }])
  })
})
