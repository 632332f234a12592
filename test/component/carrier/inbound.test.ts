import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { simulatedCarrierEvents } from '#shared/adapters/telephony/simulated-event.ts'
import { simulatedTelephony } from '#shared/adapters/telephony/simulated.ts'

import { carrierStage, EVENT_SECRET, TOKEN, type CarrierStage } from './carrier-stage.ts'

const CALLS_BACK = '+12025550114'
const OURS = '+12025550199'

interface Announcement {
  readonly signature: string | undefined
  readonly rawBody: string
}

/** Where the service is told of calls; answers each announcement with an action. */
async function service(action: string) {
  const announcements: Announcement[] = []
  const server = createServer((request, response) => {
    void request
      .setEncoding('utf8')
      .toArray()
      .then((pieces) => {
        const signature = request.headers['x-carrier-signature']?.toString()
        announcements.push({ signature, rawBody: pieces.join('') })
        response.end(JSON.stringify({ action }))
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    announcements,
    url: `http://127.0.0.1:${port}/inbound-calls/simulated`,
    close: () => server.close(),
  }
}

let ours: Awaited<ReturnType<typeof service>>
let stage: CarrierStage
async function open(action: string): Promise<void> {
  ours = await service(action)
  stage = await carrierStage({ inboundUrl: ours.url })
}
beforeEach(() => open('wait'))
afterEach(async () => {
  ours.close()
  await stage[Symbol.asyncDispose]()
})

/** They were called, their voicemail was left, and a minute has passed. */
async function calledBack(): Promise<void> {
  const callId = await stage.dial({ to: CALLS_BACK, order_id: 'call_first' })
  stage.time.advance(2_000)
  expect(stage.nextCallAt()).toBeNull()
  await stage.ask('POST', `/calls/${callId}/hang-up`)
  const endedAt = stage.time.clock.now()
  expect(stage.nextCallAt()).toBe(endedAt + 60_000)
  expect(await stage.takeDue(endedAt + 59_999)).toBe(0)
  expect(await stage.takeDue(endedAt + 60_000)).toBe(1)
  expect(stage.nextCallAt()).toBeNull()
}
const inbound = async () => (await stage.calls()).find(({ direction }) => direction === 'inbound')
const telephony = () =>
  simulatedTelephony({ baseUrl: stage.url, token: TOKEN, statusUrl: stage.runtime.statusUrl })
const request = async (attemptId = 'att_in') => ({
  attemptId,
  orderId: 'call_in',
  number: 1,
  carrierCallId: (await inbound())?.call_id ?? '',
  mediaUrl: stage.runtime.mediaUrl,
})

describe('+12025550114', () => {
  it('calls back from the number that was called, a minute after its voicemail', async () => {
    await calledBack()
    const [announcement] = ours.announcements
    const digest = createHmac('sha256', EVENT_SECRET).update(announcement?.rawBody ?? '')
    expect(announcement?.signature).toBe(`sha256=${digest.digest('hex')}`)
    expect(await inbound()).toMatchObject({ from: CALLS_BACK, to: OURS, status: 'ringing' })
    const events = simulatedCarrierEvents({ secret: EVENT_SECRET })
    const callback = {
      provider: 'simulated',
      headers: { 'x-carrier-signature': announcement?.signature },
      rawBody: announcement?.rawBody ?? '',
    }
    expect(events.readInbound(callback)).toEqual({
      kind: 'call',
      call: {
        provider: 'simulated',
        carrierCallId: (await inbound())?.call_id,
        from: CALLS_BACK,
        to: OURS,
        isTest: true,
      },
    })
    expect(events.readInbound({ ...callback, rawBody: '{}' }).kind).toBe('refused')
  })

  it('calls back once, and answers in person at the next dial of the same order', async () => {
    await calledBack()
    const again = await stage.dial({ to: CALLS_BACK, order_id: 'call_first' })
    await stage.ask('POST', `/calls/${again}/hang-up`)
    expect(stage.nextCallAt()).toBeNull()
  })
})

describe('a call that came in', () => {
  it('is taken by whoever answers it first, as often as they ask', async () => {
    await calledBack()
    const ask = await request()
    const placed = { kind: 'placed', carrierCallId: ask.carrierCallId }
    expect(await telephony().answer(ask)).toEqual(placed)
    expect(await telephony().answer(ask)).toEqual(placed)
    expect((await telephony().answer({ ...ask, attemptId: 'att_other' })).kind).toBe('refused')
    expect(await telephony().find('att_in')).toEqual({
      carrierCallId: ask.carrierCallId,
      isLive: true,
    })
    const [peer] = (await stage.runtime.peers.count(2)).slice(1)
    expect((await peer?.frames.count(2))?.[1]).toMatchObject({
      start: { customParameters: { attempt_id: 'att_in', order_id: 'call_in' } },
    })
    await telephony().hangUp(ask.carrierCallId)
    expect(await inbound()).toMatchObject({ status: 'ended', ended_by: 'caller', sip_code: 200 })
  })

  it('ends when nobody answers it, and then nobody can', async () => {
    await calledBack()
    stage.time.advance(20_000)
    expect(await inbound()).toMatchObject({ status: 'ended', sip_code: 487, answered_at: null })
    expect(await telephony().answer(await request())).toEqual({
      kind: 'refused',
      sipCode: null,
      reason: 'caller_gone',
    })
  })

  it('ends at once when the service rejects it', async () => {
    ours.close()
    await stage[Symbol.asyncDispose]()
    await open('reject')
    await calledBack()
    expect(await inbound()).toMatchObject({ status: 'ended', sip_code: 603 })
  })
})
