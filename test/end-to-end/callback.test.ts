import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { succeeded } from '#test/support/api-client.ts'
import type { CallOrder } from '#test/support/generated/parley-client.ts'
import { alwaysOpen, LocalStackProcess } from '#test/support/local-stack.ts'

const CALLS_BACK = '+12025550114'
const OURS = '+12025550199'
const TWO_HOURS = 7_200

describe('a prospect who calls back', () => {
  let stack: LocalStackProcess
  beforeAll(async () => {
    stack = await LocalStackProcess.start()
  })
  afterAll(() => stack.stop())

  async function callsFrom(phoneNumber: string): Promise<CallOrder[]> {
    const body = { phone_number: phoneNumber, directions: ['inbound' as const] }
    return (await succeeded(stack.api.searchCalls({ body }))).calls
  }

  it('is answered by the assistant that called, and not called again', async () => {
    const order = await stack.placeCall({
      phone_number: CALLS_BACK,
      prompt_variables: { first_name: 'Sam' },
      assistant: {
        prompt: 'You are Ava from Northwind Dental. Offer {{first_name}} a check-up.',
        voicemail_message: 'This is Ava. Please call us back.',
        call_retry_config: alwaysOpen(3, TWO_HOURS),
        webhook_url: stack.ready.webhook_inbox_url,
      },
    })
    const waiting = await stack.callOnce(order.id, ({ status }) => status === 'scheduled')
    expect(waiting.last_call_attempt).toMatchObject({ result: 'voicemail' })

    // The clock goes on behind the call back, and behind what would have been the retry.
    await stack.advance(TWO_HOURS + 60)

    const cancelled = await stack.getCall(order.id)
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      cancel_reason: 'prospect_called_back',
      is_cancelled: true,
      calls_count: 1,
      next_call_at: null,
    })
    const [found, ...others] = await callsFrom(CALLS_BACK)
    expect(others).toEqual([])
    const inbound = await stack.callEnded(found?.id ?? '')
    expect(inbound).toMatchObject({
      status: 'completed',
      direction: 'inbound',
      from_phone_number: CALLS_BACK,
      to_phone_number: OURS,
      callback_from: { call_id: order.id, created_at: order.created_at },
      cancel_reason: null,
      prompt_variables: { first_name: 'Sam' },
      calls_count: 1,
      campaign: null,
    })
    expect(inbound.last_call_attempt).toMatchObject({
      status: 'completed',
      result: 'human',
      phone_number: OURS,
      handled_by_ai: true,
    })
    const roles = inbound.last_call_attempt?.transcript.map(({ role }) => role) ?? []
    expect(roles[0]).toBe('assistant')
    expect(roles).toContain('user')
    expect(await stack.dials(order.id)).toHaveLength(1)
    expect(await stack.webhooks(order.id)).toHaveLength(1)
    expect(await stack.webhooks(inbound.id)).toHaveLength(1)
  })

  it('reaches the assistant of the number, where it has one', async () => {
    const settings = { name: 'Reception', prompt: 'You are the reception of Northwind Dental.' }
    const { id } = (await succeeded(stack.api.createAssistant({ body: settings }))).assistant
    const { phone_numbers: numbers } = await succeeded(stack.api.listPhoneNumbers())
    const ours = numbers.find(({ phone_number }) => phone_number === OURS)
    await succeeded(
      stack.api.updatePhoneNumber({
        path: { id: ours?.id ?? '' },
        body: { inbound_assistant_id: id },
      }),
    )

    const before = await callsFrom(CALLS_BACK)
    const order = await stack.placeCall({
      phone_number: CALLS_BACK,
      assistant: { prompt: 'You are Ava.', call_retry_config: alwaysOpen(3, TWO_HOURS) },
    })
    await stack.callOnce(order.id, ({ status }) => status === 'scheduled')
    await stack.advance(120)
    const known = new Set(before.map((call) => call.id))
    const [inbound] = (await callsFrom(CALLS_BACK)).filter((call) => !known.has(call.id))
    expect(inbound).toMatchObject({
      assistant: { id, name: 'Reception' },
      callback_from: { call_id: order.id },
    })
  })
})
