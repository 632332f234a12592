import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { alwaysOpen, LocalStackProcess } from '#test/support/local-stack.ts'

const RETRY_DELAY_SECS = 7_200
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const TOKYO_OPENS_UTC_MS = HOUR_MS
const PROMPT = 'You are Ava from Northwind Dental. Offer a check-up.'
/** What the machine may take for a dial, at the speed of the test clock. */
const PROMPT_MS = 60_000

let stack: LocalStackProcess

beforeAll(async () => {
  stack = await LocalStackProcess.start()
})

afterAll(() => stack?.stop())

const iso = (at: number) => new Date(at).toISOString()

describe('0111, nobody at first and a person at the second attempt', () => {
  it('is reached once the clock is past the retry delay', async () => {
    const { id } = await stack.placeCall({
      phone_number: '+12025550111',
      assistant: {
        prompt: PROMPT,
        max_call_duration_secs: 6,
        call_retry_config: alwaysOpen(3, RETRY_DELAY_SECS),
      },
    })
    const waiting = await stack.callOnce(
      id,
      ({ status, calls_count }) => status === 'scheduled' && calls_count === 1,
    )
    const first = waiting.last_call_attempt!
    const dueAt = Date.parse(first.ended_at!) + RETRY_DELAY_SECS * 1_000
    expect(first.dial_error).toBe('no_answer')
    expect(waiting.next_call_at).toBe(iso(dueAt))

    await stack.setClock({ set: iso(dueAt - 60_000) })
    expect(await stack.getCall(id)).toEqual(waiting)
    await stack.advance(120)
    const call = await stack.getCall(id)
    expect(call).toMatchObject({ status: 'completed', calls_count: 2, next_call_at: null })
    expect(call.call_attempts.map(({ result, dial_error }) => [result, dial_error])).toEqual([
      ['human', null],
      [null, 'no_answer'],
    ])
    expect(call.call_attempts[1]).toEqual(first)
    expect(call.last_call_attempt).toEqual(call.call_attempts[0])

    const dials = await stack.dials(id)
    expect(dials.map(({ to, attempt_number }) => [to, attempt_number])).toEqual([
      ['+12025550111', 1],
      ['+12025550111', 2],
    ])
    expect(dials.map(({ attempt_id }) => attempt_id)).toEqual(
      call.call_attempts.map((attempt) => attempt.id).toReversed(),
    )
    expect(Date.parse(dials[1]!.at)).toBeGreaterThanOrEqual(dueAt)
    expect(Date.parse(dials[1]!.at)).toBeLessThan(dueAt + PROMPT_MS)
  })
})

describe('the clock', () => {
  it('can be set to a moment', async () => {
    const until = (await stack.now()) + HOUR_MS
    const { status, body } = await stack.setClock({ set: iso(until) })
    expect(status).toBe(200)
    expect(Date.parse(body.now)).toBeGreaterThanOrEqual(until)
    expect(Date.parse(body.now)).toBeLessThan(until + PROMPT_MS)
  })

  it('goes on from where it was put, and never back', async () => {
    const moments = [await stack.now()]
    for (const seconds of [0, 1, 60]) {
      moments.push(await stack.advance(seconds), await stack.now())
    }
    expect(moments).toEqual(moments.toSorted((a, b) => a - b))
    expect(moments.at(-1)! - moments[0]!).toBeGreaterThanOrEqual(61_000)
  })

  it.each([
    ['a step back', { advance_seconds: -1 }],
    ['the past', { set: '2020-01-01T00:00:00Z' }],
    ['a time without an offset', { set: '2999-01-01T00:00:00' }],
    ['no time', { set: 'tomorrow' }],
    ['two wishes', { advance_seconds: 1, set: '2999-01-01T00:00:00Z' }],
    ['milliseconds by mistake', { advance_seconds: 7_200_000_000_000 }],
    ['nothing', {}],
  ])('refuses %s and stays where it is', async (_, wish) => {
    const before = await stack.now()
    const { status, body } = await stack.setClock(wish)
    expect(status).toBe(422)
    expect(body.detail).toMatch(/\.$/)
    expect((await stack.now()) - before).toBeLessThan(PROMPT_MS)
  })
})

describe('orders ahead', () => {
  it('are dialled at their time, or when their window opens, in order of time', async () => {
    const midnight = Math.ceil((await stack.now()) / DAY_MS + 2) * DAY_MS
    const openConfig = alwaysOpen(1)
    // 10:00 to 18:00 in Tokyo.
    const tokyoConfig = {
      ...openConfig,
      timezone: 'Asia/Tokyo',
      calling_windows: [
        {
          calling_window_start_time: '10am',
          calling_window_end_time: '6pm',
          retry_delay_seconds: 0,
        },
      ],
    }
    const place = (phoneNumber: string, at: number, config: object) =>
      stack.placeCall({
        phone_number: phoneNumber,
        scheduled_at: iso(at),
        assistant: { prompt: PROMPT, call_retry_config: config },
      })
    const inWindow = midnight + TOKYO_OPENS_UTC_MS + 2 * HOUR_MS
    const soonAfter = inWindow + 5 * MINUTE_MS
    const plans = [
      [await place('+12025550101', soonAfter, tokyoConfig), soonAfter],
      [await place('+12025550110', inWindow, tokyoConfig), inWindow],
      [await place('+12025550103', midnight, tokyoConfig), midnight + TOKYO_OPENS_UTC_MS],
      [await place('+12025550101', midnight - HOUR_MS, openConfig), midnight - HOUR_MS],
    ] as const
    for (const [order, dueAt] of plans) {
      expect(order).toMatchObject({ status: 'scheduled', next_call_at: iso(dueAt) })
    }

    await stack.setClock({ set: iso(midnight - HOUR_MS - 60_000) })
    expect((await Promise.all(plans.map(([{ id }]) => stack.dials(id)))).flat()).toEqual([])
    await stack.setClock({ set: iso(midnight + DAY_MS) })

    const dials = (await stack.dials()).slice(-plans.length)
    expect(dials.map(({ order_id }) => order_id)).toEqual(plans.map(([{ id }]) => id).toReversed())
    for (const [index, dial] of dials.slice(1).entries()) {
      expect(Date.parse(dials[index]!.ended_at!)).toBeLessThan(Date.parse(dial.at))
    }
    for (const [{ id }, dueAt] of plans) {
      const [dial] = await stack.dials(id)
      expect(Date.parse(dial!.at)).toBeGreaterThanOrEqual(dueAt)
      expect(Date.parse(dial!.at)).toBeLessThan(dueAt + PROMPT_MS)
      expect((await stack.getCall(id)).status).toBe('completed')
    }
  })
})

describe('a stack in which nobody conducts calls', () => {
  it('walks on: what nobody takes is given up in time, cancelled or not', async () => {
    await using silent = await LocalStackProcess.start({ args: ['--no-voice-runtime'] })
    const place = (phoneNumber: string) =>
      silent.placeCall({
        phone_number: phoneNumber,
        assistant: { prompt: PROMPT, call_retry_config: alwaysOpen(1) },
      })
    const ids = [(await place('+12025550100')).id, (await place('+12025550101')).id]
    for (const id of ids) await silent.callOnce(id, ({ status }) => status === 'calling')
    await silent.api.cancelCall({ path: { id: ids[1]! } })
    await silent.advance(HOUR_MS / 1_000)
    const calls = await Promise.all(ids.map((id) => silent.getCall(id)))
    expect(calls.map(({ status }) => status)).toEqual(['completed', 'cancelled'])
    for (const { call_attempts: attempts } of calls) {
      expect(attempts).toMatchObject([{ status: 'error', ended_at: expect.any(String) }])
    }
    expect(await silent.dials()).toEqual([])
  })
})
