import { afterAll, beforeAll, expect, it } from 'vitest'

import { alwaysOpen, LocalStackProcess } from '#test/support/local-stack.ts'
import { until } from '#test/support/until.ts'

const HOUR_SECS = 3_600
const DONE = { data: { success: true } }

let stack: LocalStackProcess

beforeAll(async () => {
  stack = await LocalStackProcess.start()
})

afterAll(() => stack?.stop())

const place = (phoneNumber: string, extra: object = {}) =>
  stack.placeCall({
    phone_number: phoneNumber,
    assistant: {
      prompt: 'You are Ava from Northwind Dental. Offer a check-up.',
      webhook_url: stack.ready.webhook_inbox_url,
      call_retry_config: alwaysOpen(1),
    },
    ...extra,
  })

const inHours = async (hours: number) => ({
  scheduled_at: new Date((await stack.now()) + hours * HOUR_SECS * 1_000).toISOString(),
})

it('dials a paused order when it is resumed, and not before', async () => {
  const { id, status } = await place('+12025550101', await inHours(2))
  expect(status).toBe('scheduled')
  expect(await stack.api.pauseCall({ path: { id } })).toMatchObject(DONE)
  expect(await stack.getCall(id)).toMatchObject({ status: 'paused', next_call_at: null })
  await stack.advance(3 * HOUR_SECS)
  expect(await stack.dials(id)).toEqual([])
  expect((await stack.getCall(id)).status).toBe('paused')
  expect(await stack.api.resumeCall({ path: { id } })).toMatchObject(DONE)
  await stack.advance(60)
  expect(await stack.dials(id)).toHaveLength(1)
  expect((await stack.getCall(id)).status).toBe('completed')
})

it('dials an order that was resumed early at its own time', async () => {
  const { id, next_call_at } = await place('+12025550101', await inHours(2))
  await stack.api.pauseCall({ path: { id } })
  await stack.api.resumeCall({ path: { id } })
  expect(await stack.getCall(id)).toMatchObject({ status: 'scheduled', next_call_at })
  await stack.advance(HOUR_SECS)
  expect(await stack.dials(id)).toEqual([])
  await stack.advance(HOUR_SECS + 60)
  expect(await stack.dials(id)).toHaveLength(1)
})

it('never dials an order that was cancelled while it waited', async () => {
  const { id } = await place('+12025550100', await inHours(2))
  expect(await stack.api.cancelCall({ path: { id } })).toMatchObject(DONE)
  await stack.advance(24 * HOUR_SECS)
  expect(await stack.getCall(id)).toMatchObject({
    status: 'cancelled',
    is_cancelled: true,
    cancel_reason: null,
    calls_count: 0,
    call_attempts: [],
  })
  expect(await stack.dials(id)).toEqual([])
  expect(await stack.webhooks(id)).toEqual([])
})

it('lets a call in progress go on to its end when its order is cancelled', async () => {
  const { id } = await place('+12025550108')
  await stack.callOnce(id, (call) => (call.last_call_attempt?.transcript.length ?? 0) > 0)
  expect(await stack.api.cancelCall({ path: { id } })).toMatchObject(DONE)
  const cancelled = await stack.getCall(id)
  expect(cancelled.status).toBe('cancelled')
  expect(cancelled.last_call_attempt).toMatchObject({ status: 'ongoing', ended_at: null })

  await until('the webhook', async () => (await stack.webhooks(id))[0] ?? null)
  const call = await stack.getCall(id)
  expect(call).toMatchObject({
    status: 'cancelled',
    calls_count: 1,
    outcome: 'requested_callback_later',
  })
  expect(call.last_call_attempt).toMatchObject({
    status: 'completed',
    result: 'human',
    end_reason: 'tool_end_call',
  })
  await stack.advance(24 * HOUR_SECS)
  expect(await stack.webhooks(id)).toHaveLength(1)
  expect(await stack.dials(id)).toHaveLength(1)
})
