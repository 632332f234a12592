import { createHmac } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import { carrierStage, EVENT_SECRET } from './carrier-stage.ts'

const BUSY = '+12025550101'

describe('status callbacks', () => {
  it('name the call, count up, and are signed over the raw body', async () => {
    await using stage = await carrierStage()
    const callId = await stage.dial({ to: '+12025550102' })
    stage.time.advance(5_000)
    const callbacks = await stage.runtime.callbacks.count(2)
    for (const [index, { body, rawBody, signature }] of callbacks.entries()) {
      expect(body).toMatchObject({
        sequence: index + 1,
        call_id: callId,
        attempt_id: 'att_1',
        order_id: 'call_1',
        attempt_number: 1,
      })
      const digest = createHmac('sha256', EVENT_SECRET).update(rawBody).digest('hex')
      expect(signature).toBe(`sha256=${digest}`)
    }
    expect(new Set(callbacks.map(({ body }) => body['event_id'])).size).toBe(2)
  })

  it('are sent again while the receiver fails, unchanged and before any later one', async () => {
    await using stage = await carrierStage()
    stage.runtime.answers.push(500, 503)
    // The end comes while the ringing still waits for its second try.
    await stage.dial({ to: '+12025550102', ring_timeout_secs: 0.2 })
    for (const [count, waitMs] of [
      [1, 500],
      [2, 1_000],
    ] as const) {
      const isWaiting = stage.time.nextTimer()
      if (count === 1) stage.time.advance(100)
      await stage.runtime.callbacks.count(count)
      await isWaiting
      stage.time.advance(waitMs)
    }
    const callbacks = await stage.runtime.callbacks.count(4)
    expect(callbacks.map(({ body }) => body['status'])).toEqual([
      'ringing',
      'ringing',
      'ringing',
      'ended',
    ])
    expect(new Set(callbacks.slice(0, 3).map(({ rawBody }) => rawBody)).size).toBe(1)
  })

  it('are given up after five tries', async () => {
    await using stage = await carrierStage()
    stage.runtime.answers.push(500, 500, 500, 500, 500)
    await stage.dial({ to: BUSY })
    stage.time.advance(290)
    let isWaiting = stage.time.nextTimer()
    stage.time.advance(10)
    for (const waitMs of [500, 1_000, 2_000, 4_000]) {
      await isWaiting
      isWaiting = stage.time.nextTimer()
      stage.time.advance(waitMs)
    }
    await stage.runtime.callbacks.count(5)
    // One of another call shows that the receiver was heard, and nothing more came of the first.
    await stage.dial({ to: BUSY })
    stage.time.advance(60_000)
    const callbacks = await stage.runtime.callbacks.count(6)
    expect(callbacks.map(({ body }) => body['attempt_id'])).toEqual([
      'att_1',
      'att_1',
      'att_1',
      'att_1',
      'att_1',
      'att_2',
    ])
  })

  it('can be made to come twice', async () => {
    await using stage = await carrierStage({ faults: { duplicate: true } })
    await stage.dial({ to: '+12025550102' })
    stage.time.advance(5_000)
    const callbacks = await stage.runtime.callbacks.count(4)
    expect(callbacks.map(({ body }) => body['sequence'])).toEqual([1, 1, 2, 2])
  })

  it('can be made to change places', async () => {
    await using stage = await carrierStage({ faults: { reorder: true } })
    await stage.dial({ to: '+12025550102' })
    stage.time.advance(5_000)
    const callbacks = await stage.runtime.callbacks.count(2)
    expect(callbacks.map(({ body }) => body['status'])).toEqual(['ended', 'ringing'])
  })

  it('come to an end with the carrier', async () => {
    await using stage = await carrierStage()
    await stage.dial()
    stage.time.advance(500)
    await stage.runtime.callbacks.count(1)
    stage.closeCarrier()
    expect(await stage.calls()).toMatchObject([{ status: 'ended', ended_by: 'caller' }])
    stage.time.advance(60_000)
    expect(stage.runtime.callbacks.items).toHaveLength(1)
  })
})
