import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { CallOrder } from '#test/support/generated/parley-client.ts'
import { alwaysOpen, LocalStackProcess, type ReceivedWebhook } from '#test/support/local-stack.ts'
import { until } from '#test/support/until.ts'

const TWO_DAYS_SECS = 172_800

let stack: LocalStackProcess

beforeAll(async () => {
  stack = await LocalStackProcess.start()
})

afterAll(() => stack?.stop())

const place = (phoneNumber: string, webhookUrl: string) =>
  stack.placeCall({
    phone_number: phoneNumber,
    metadata: { patient: '4711' },
    assistant: {
      prompt: 'You are Ava from Northwind Dental. Offer a check-up.',
      webhook_url: webhookUrl,
      structured_output_config: [{ name: 'wants_checkup', type: 'boolean', required: true }],
      call_retry_config: alwaysOpen(2, 0),
    },
  })

const received = (orderId: string, count: number) =>
  until(`${count} webhooks`, async () => {
    const webhooks = await stack.webhooks(orderId)
    return webhooks.length >= count ? webhooks : null
  })

function expectGenuine(webhook: ReceivedWebhook, call: CallOrder): void {
  const verifier = new Webhook(stack.ready.webhook_secret)
  const event = verifier.verify(webhook.body, { ...webhook.headers }) as Record<string, unknown>
  expect(event).toEqual({
    id: webhook.headers['webhook-id'],
    type: 'call.completed',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    data: { call: withoutLinks(call) },
  })
  const tampered = webhook.body.replace('4711', '4712')
  expect(() => verifier.verify(tampered, { ...webhook.headers })).toThrow(/signature/)
}

/** A link to a recording is made for whoever reads the call. */
function withoutLinks(call: CallOrder): unknown {
  const recordingUrl = expect.toSatisfy((url) => url === null || typeof url === 'string')
  return {
    ...call,
    call_attempts: call.call_attempts.map((a) => ({ ...a, recording_url: recordingUrl })),
    last_call_attempt: call.last_call_attempt && {
      ...call.last_call_attempt,
      recording_url: recordingUrl,
    },
  }
}

describe('the webhook of a call', () => {
  it('comes once, signed, with the call as it ended', async () => {
    const { id } = await place('+12025550110', stack.ready.webhook_inbox_url)
    const call = await stack.callEnded(id)
    const [webhook] = await received(id, 1)
    expect(call.last_call_attempt!.transcript.length).toBeGreaterThan(0)
    expect(webhook!.status_answered).toBe(200)
    expect(webhook!.headers['content-type']).toMatch(/^application\/json/)
    expectGenuine(webhook!, call)
    await stack.advance(TWO_DAYS_SECS)
    expect(await stack.webhooks(id)).toHaveLength(1)
  })

  it('comes again under its id until the receiver takes it, and then never more', async () => {
    const { id } = await place('+12025550101', `${stack.ready.webhook_inbox_url}?fail=2`)
    const call = await stack.callEnded(id)
    await received(id, 1)
    await stack.advance(600)
    const webhooks = await stack.webhooks(id)
    expect(webhooks.map(({ status_answered }) => status_answered)).toEqual([500, 500, 200])
    expect(new Set(webhooks.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(webhooks.map(({ body }) => body)).size).toBe(1)
    for (const webhook of webhooks) expectGenuine(webhook, call)
    const [first, second, third] = webhooks.map(({ received_at }) => Date.parse(received_at))
    expect(second! - first!).toBeGreaterThanOrEqual(5_000)
    expect(third! - second!).toBeGreaterThanOrEqual(300_000)
    await stack.advance(TWO_DAYS_SECS)
    expect(await stack.webhooks(id)).toHaveLength(3)
  })
})
