import { createHmac } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import { simulatedCarrierEvents } from '#shared/adapters/telephony/simulated-event.ts'
import { carrierStage, EVENT_SECRET } from '#test/component/carrier/carrier-stage.ts'
import type { Callback } from '#test/component/carrier/fake-runtime.ts'
import { START } from '#test/component/carrier/virtual-time.ts'

const events = simulatedCarrierEvents({ secret: EVENT_SECRET })
const sign = (rawBody: string) =>
  `sha256=${createHmac('sha256', EVENT_SECRET).update(rawBody).digest('hex')}`
const read = (rawBody: string, signature: string | undefined = sign(rawBody)) =>
  events.read({
    provider: 'simulated',
    headers: { 'x-carrier-signature': signature },
    rawBody,
  })

const STATUS = {
  event_id: 'e',
  sequence: 1,
  call_id: 'sim_1',
  attempt_id: 'att_1',
  order_id: 'call_1',
  attempt_number: 2,
  status: 'ringing',
  at: '2026-01-31T09:00:00.100Z',
  sip_code: null,
  ended_by: null,
}

describe('simulatedCarrierEvents', () => {
  it('reads what the simulated carrier sends', async () => {
    await using stage = await carrierStage()
    const carrierCallId = await stage.dial({ attempt_number: 3 })
    stage.time.advance(2_000)
    const [peer] = await stage.runtime.peers.count(1)
    await stage.ask('POST', `/calls/${carrierCallId}/hang-up`)
    await peer!.closed
    const callbacks = await stage.runtime.callbacks.count(3)
    const attempt = { orderId: 'call_1', number: 3, attemptId: 'att_1', carrierCallId }
    const readCallback = ({ rawBody, signature }: Callback) => read(rawBody, signature)
    expect(callbacks.map(readCallback)).toEqual([
      { kind: 'event', event: { ...attempt, at: START + 100, event: { type: 'ringing' } } },
      { kind: 'event', event: { ...attempt, at: START + 2_000, event: { type: 'answered' } } },
      {
        kind: 'event',
        event: {
          ...attempt,
          at: START + 2_000,
          event: {
            type: 'ended',
            cause: { sipCode: 200, reason: null, q850: null, endedBy: 'caller' },
          },
        },
      },
    ])
  })

  it.each([
    ['none', ''],
    ['another scheme', 'md5=abc'],
    ['of another body', sign('{}')],
    ['a prefix of the right one', sign(JSON.stringify(STATUS)).slice(0, 20)],
  ])('refuses a signature that is %s', (_, signature) => {
    expect(read(JSON.stringify(STATUS), signature)).toEqual({
      kind: 'refused',
      reason: 'wrong_signature',
    })
  })

  it('refuses a callback without the header', () => {
    const rawBody = JSON.stringify(STATUS)
    expect(events.read({ provider: 'simulated', headers: {}, rawBody })).toEqual({
      kind: 'refused',
      reason: 'wrong_signature',
    })
  })

  it('knows no other provider', () => {
    const rawBody = JSON.stringify(STATUS)
    const headers = { 'x-carrier-signature': sign(rawBody) }
    expect(events.read({ provider: 'other', headers, rawBody })).toEqual({
      kind: 'refused',
      reason: 'unknown_provider',
    })
  })

  it.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['an unknown status', JSON.stringify({ ...STATUS, status: 'paused' })],
    ['no attempt number', JSON.stringify({ ...STATUS, attempt_number: '2' })],
    ['no time', JSON.stringify({ ...STATUS, at: 'yesterday' })],
    ['an end without who ended it', JSON.stringify({ ...STATUS, status: 'ended' })],
  ])('refuses a signed body that is %s', (_, rawBody) => {
    expect(read(rawBody)).toEqual({ kind: 'refused', reason: 'malformed' })
  })
})
