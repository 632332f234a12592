import { describe, expect, it } from 'vitest'

import { carrierStage, dialBody } from './carrier-stage.ts'

describe('the HTTP interface of the simulated carrier', () => {
  it.each([
    ['a number that is none', { to: '0100' }, 'invalid_number', 484],
    ['a caller that is none', { from: 'me' }, 'invalid_request', null],
    ['an unknown field', { color: 'red' }, 'invalid_request', null],
    ['a missing field', { media_url: undefined }, 'invalid_request', null],
    ['a media URL that is no WebSocket', { media_url: 'http://x.test' }, 'invalid_request', null],
  ])('refuses %s', async (_, fields, code, sipCode) => {
    await using stage = await carrierStage()
    const answer = await stage.ask('POST', '/calls', dialBody(stage.runtime, 1, fields))
    expect(answer).toMatchObject({ status: 400, body: { code, sip_code: sipCode } })
    expect(answer.body['message']).not.toContain('0100')
    expect(await stage.calls()).toEqual([])
  })

  it('refuses what is no JSON, and what is too long', async () => {
    await using stage = await carrierStage()
    const post = (body: string) =>
      fetch(`${stage.url}/calls`, {
        method: 'POST',
        headers: { authorization: 'Bearer carrier-token' },
        body,
      })
    expect((await post('{')).status).toBe(400)
    const long = dialBody(stage.runtime, 1, { order_id: 'x'.repeat(70_000) })
    expect((await post(JSON.stringify(long))).status).toBe(400)
  })

  it('wants the token on every path', async () => {
    await using stage = await carrierStage()
    for (const token of ['wrong-token', '']) {
      expect((await stage.ask('GET', '/calls', undefined, token)).status).toBe(401)
      const dial = await stage.ask('POST', '/calls', dialBody(stage.runtime, 1), token)
      expect(dial.status).toBe(401)
    }
    expect(await stage.calls()).toEqual([])
  })

  it('never rings twice for one attempt', async () => {
    await using stage = await carrierStage()
    const callId = await stage.dial({ attempt_id: 'att_x' })
    const again = dialBody(stage.runtime, 7, { attempt_id: 'att_x' })
    expect(await stage.ask('POST', '/calls', again)).toEqual({
      status: 409,
      body: { call_id: callId },
    })
    expect(await stage.calls()).toHaveLength(1)
    stage.time.advance(2_500)
    expect((await stage.runtime.callbacks.count(2)).map(({ body }) => body['call_id'])).toEqual([
      callId,
      callId,
    ])
  })

  it('finds a call by its attempt, live and ended', async () => {
    await using stage = await carrierStage()
    expect((await stage.ask('GET', '/calls?attempt_id=att_1')).status).toBe(404)
    const callId = await stage.dial()
    const find = () => stage.ask('GET', '/calls?attempt_id=att_1')
    expect(await find()).toEqual({ status: 200, body: { call_id: callId, is_live: true } })
    await stage.ask('POST', `/calls/${callId}/hang-up`)
    expect(await find()).toEqual({ status: 200, body: { call_id: callId, is_live: false } })
  })

  it('knows no other paths and no other calls', async () => {
    await using stage = await carrierStage()
    for (const [method, path] of [
      ['POST', '/calls/sim_1/hang-up'],
      ['GET', '/calls/sim_1'],
      ['DELETE', '/calls'],
      ['GET', '/'],
    ] as const) {
      expect((await stage.ask(method, path)).status).toBe(404)
    }
  })

  it('lists every dial in order, with what became of it', async () => {
    await using stage = await carrierStage()
    const first = await stage.dial({ to: '+12025550101' })
    stage.time.advance(1_000)
    const second = await stage.dial()
    expect(await stage.calls()).toEqual([
      {
        call_id: first,
        direction: 'outbound',
        attempt_id: 'att_1',
        order_id: 'call_1',
        attempt_number: 1,
        to: '+12025550101',
        from: '+12025550199',
        at: '2026-01-31T09:00:00.000Z',
        status: 'ended',
        sip_code: 486,
        ended_by: 'callee',
        answered_at: null,
        ended_at: '2026-01-31T09:00:00.300Z',
        heard: [],
        keys: '',
        said: [],
      },
      expect.objectContaining({
        call_id: second,
        at: '2026-01-31T09:00:01.000Z',
        status: 'dialing',
      }),
    ])
  })
})

describe('what becomes of a dial', () => {
  const statuses = async (to: string, advanceMs: number, fields: object = {}) => {
    await using stage = await carrierStage()
    await stage.dial({ to, ...fields })
    stage.time.advance(advanceMs)
    const isEnded = (items: readonly { body: Readonly<Record<string, unknown>> }[]) =>
      items.at(-1)?.body['status'] === 'ended'
    const items = await stage.runtime.callbacks.until(isEnded)
    return items.map(({ body }) => [body['status'], body['at'], body['sip_code'], body['ended_by']])
  }
  const at = (time: string) => `2026-01-31T09:00:${time}Z`

  it.each([
    ['+12025550101', 486, 'callee'],
    ['+12025550103', 480, 'carrier'],
    ['+12025550104', 404, 'carrier'],
  ])('%s fails with %i before it rings', async (to, sipCode, endedBy) => {
    expect(await statuses(to, 300)).toEqual([['ended', at('00.300'), sipCode, endedBy]])
  })

  it.each([
    ['+12025550102', 60, '05.000'],
    ['+12025550102', 3, '03.000'],
    ['+12025550111', 60, '05.000'],
    // Less than the two rings that the person needs.
    ['+12025550100', 1, '01.000'],
  ])('%s rings out, asked to ring for %i s', async (to, ringTimeoutSecs, endsAt) => {
    expect(await statuses(to, 10_000, { ring_timeout_secs: ringTimeoutSecs })).toEqual([
      ['ringing', at('00.100'), null, null],
      ['ended', at(endsAt), 408, 'carrier'],
    ])
  })

  it('a call hung up while it rings is cancelled, once', async () => {
    await using stage = await carrierStage()
    const callId = await stage.dial()
    stage.time.advance(500)
    for (let i = 0; i < 2; i++) {
      expect(await stage.ask('POST', `/calls/${callId}/hang-up`)).toEqual({
        status: 200,
        body: { call_id: callId },
      })
      stage.time.advance(60_000)
    }
    expect(await stage.calls()).toMatchObject([
      {
        status: 'ended',
        sip_code: 487,
        ended_by: 'caller',
        answered_at: null,
        ended_at: at('00.500'),
      },
    ])
    expect((await stage.runtime.callbacks.count(2)).map(({ body }) => body['status'])).toEqual([
      'ringing',
      'ended',
    ])
    expect(stage.runtime.peers.items).toEqual([])
  })

  it('0111 is answered at the second dial of each order', async () => {
    await using stage = await carrierStage()
    const to = '+12025550111'
    for (const orderId of ['call_1', 'call_2']) {
      await stage.dial({ to, order_id: orderId })
      stage.time.advance(6_000)
      await stage.dial({ to, order_id: orderId })
      stage.time.advance(2_000)
    }
    expect((await stage.calls()).map(({ status }) => status)).toEqual([
      'ended',
      'answered',
      'ended',
      'answered',
    ])
    await stage.runtime.peers.count(2)
  })
})
