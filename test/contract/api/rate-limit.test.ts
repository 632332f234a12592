import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { DEFAULT_REQUESTS_PER_MINUTE } from '#shared/domain/rate-limit.ts'
import { NOON } from '#test/support/an-order.ts'
import { KEYS } from '#test/support/api-ports.ts'
import { type Api, startApi } from '#test/support/api-server.ts'

let api: Api
beforeEach(async () => {
  api = await startApi()
  limitTo({ default: 6, calls: 3, campaigns: 1 })
})
afterEach(() => api.stop())

const limitTo = (requestsPerMinute: typeof DEFAULT_REQUESTS_PER_MINUTE) =>
  Object.assign(api.ports.limits, { requestsPerMinute })
const passTime = (ms: number) => Object.assign(api.ports.clock, { now: () => NOON + ms })
const read = (key = KEYS.test) => api.request('GET', '/v1/call/x', { key })
const place = (key = KEYS.test) =>
  api.request('POST', '/v1/call', {
    key,
    json: { phone_number: '+12025550100', assistant: { prompt: 'P' } },
  })

describe('an organization', () => {
  test('may ask for what the decisions say, where a deployment says nothing', async () => {
    expect(DEFAULT_REQUESTS_PER_MINUTE).toEqual({ default: 1_000, calls: 500, campaigns: 10 })
    Object.assign(api.ports.limits, { requestsPerMinute: undefined })
    expect((await place()).headers.get('ratelimit-policy')).toBe('"calls";q=500;w=60')
  })

  test('is told with every answer what is left', async () => {
    const seen = []
    for (let count = 0; count < 3; count += 1) {
      const { status, headers } = await place()
      seen.push([status, headers.get('ratelimit-policy'), headers.get('ratelimit')])
    }
    expect(seen).toEqual([
      [200, '"calls";q=3;w=60', '"calls";r=2;t=20'],
      [200, '"calls";q=3;w=60', '"calls";r=1;t=40'],
      [200, '"calls";q=3;w=60', '"calls";r=0;t=60'],
    ])
    expect((await read()).headers.get('ratelimit')).toBe('"default";r=5;t=10')
  })

  test('is refused when nothing is left, told until when, and taken then', async () => {
    for (let count = 0; count < 3; count += 1) await place()
    passTime(500)
    const { status, body, headers } = await place()
    expect([status, body.code, body.status]).toEqual([429, 'rate_limited', 429])
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(headers.get('retry-after')).toBe('20')
    expect(headers.get('ratelimit')).toBe('"calls";r=0;t=60')
    passTime(19_999)
    expect((await place()).status).toBe(429)
    passTime(20_000)
    expect((await place()).status).toBe(200)
    expect((await place()).status).toBe(429)
  })

  test('does nothing with a request that is refused', async () => {
    for (let count = 0; count < 3; count += 1) await place()
    let saves = 0
    Object.assign(api.ports.calls, { save: () => Promise.resolve((saves += 1)) })
    expect((await place()).status).toBe(429)
    expect(saves).toBe(0)
  })

  test('is counted for requests that fail, and not for those of nobody', async () => {
    await read(KEYS.revoked)
    await api.request('PUT', '/v1/call')
    await api.request('POST', '/v1/assistants', { text: '{' })
    expect((await read()).headers.get('ratelimit')).toBe('"default";r=4;t=20')
  })

  test('has its own tokens for each kind of request, whichever key it uses', async () => {
    for (let count = 0; count < 3; count += 1) await place(KEYS.live)
    expect((await place(KEYS.test)).status).toBe(429)
    expect((await place(KEYS.other)).status).toBe(200)
    expect((await read()).status).toBe(404)
  })

  test('gets no more than it may, however many it sends at once', async () => {
    limitTo({ default: 6, calls: 12, campaigns: 1 })
    const sequence = [await place(), await place()]
    const answers = await Promise.all(Array.from({ length: 40 }, () => place()))
    const taken = [...sequence, ...answers].filter(({ status }) => status === 200)
    expect(taken).toHaveLength(12)
  })

  test('gets no more than it may when the first count is told last', async () => {
    limitTo({ default: 6, calls: 12, campaigns: 1 })
    const { rateLimits } = api.ports
    const real = { ...rateLimits }
    const answers = [await place()]
    const firstIsCounted = Promise.withResolvers<void>()
    const othersAreTold = Promise.withResolvers<void>()
    const lastHaveBegun = Promise.withResolvers<void>()
    let counted = 0
    rateLimits.take = async (request) => {
      counted += 1
      const turn = counted
      if (turn === 13) lastHaveBegun.resolve()
      if (turn > 9) await lastHaveBegun.promise
      const look = await real.take(request)
      if (turn === 1) {
        firstIsCounted.resolve()
        await othersAreTold.promise
      }
      return look
    }
    const first = place()
    await firstIsCounted.promise
    for (let count = 0; count < 8; count += 1) answers.push(await place())
    othersAreTold.resolve()
    answers.push(await first, ...(await Promise.all(Array.from({ length: 10 }, () => place()))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(12)
  })

  test('has its answer while the count is still being made', async () => {
    await read()
    const order: string[] = []
    const { rateLimits, calls } = api.ports
    const real = { ...rateLimits }
    const counted = Promise.withResolvers<void>()
    rateLimits.take = async (request) => {
      await counted.promise
      order.push('counted')
      return real.take(request)
    }
    calls.findCall = async () => {
      order.push('worked')
      counted.resolve()
      return null
    }
    expect((await read()).headers.get('ratelimit')).toBe('"default";r=4;t=20')
    expect(order).toEqual(['worked', 'counted'])
  })
})
