import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, it } from 'vitest'

import { simulatedTelephony } from '#shared/adapters/telephony/simulated.ts'
import { carrierStage, PERSON, TOKEN } from '#test/component/carrier/carrier-stage.ts'

import { telephonyContract } from './telephony.ts'

/** An address at which somebody listened a moment ago. */
async function abandonedUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

telephonyContract('the simulated carrier', async () => {
  const stage = await carrierStage()
  const options = { baseUrl: stage.url, token: TOKEN, statusUrl: stage.runtime.statusUrl }
  return {
    telephony: simulatedTelephony(options),
    unreachable: simulatedTelephony({ ...options, baseUrl: await abandonedUrl() }),
    answerLost: simulatedTelephony({
      ...options,
      fetch: async (...request) => {
        await fetch(...request)
        throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })
      },
    }),
    mediaUrl: stage.runtime.mediaUrl,
    person: PERSON,
    invalidNumber: '0100',
    dialled: async () => (await stage.calls()).flatMap((call) => call.attempt_id ?? []),
    close: async () => {
      await stage[Symbol.asyncDispose]()
    },
  }
})

describe('simulatedTelephony', () => {
  const REQUEST = {
    attemptId: 'att_1',
    orderId: 'call_1',
    number: 2,
    to: PERSON,
    from: '+12025550199',
    mediaUrl: 'ws://127.0.0.1:1/media',
    ringTimeoutSecs: 30,
  }
  const answering = (status: number, body: unknown, headers: Record<string, string> = {}) => {
    const requests: { url: string; init: RequestInit }[] = []
    const telephony = simulatedTelephony({
      baseUrl: 'http://carrier.test/v1',
      token: TOKEN,
      statusUrl: 'http://service.test/carrier-events/simulated',
      fetch: (url, init) => {
        requests.push({ url: url as string, init: init ?? {} })
        return Promise.resolve(new Response(JSON.stringify(body), { status, headers }))
      },
    })
    return { telephony, requests }
  }

  it('asks in the words of the carrier', async () => {
    const { telephony, requests } = answering(201, { call_id: 'sim_1' })
    await telephony.dial(REQUEST)
    expect(requests[0]).toMatchObject({
      url: 'http://carrier.test/v1/calls',
      init: { method: 'POST', headers: { authorization: `Bearer ${TOKEN}` } },
    })
    expect(JSON.parse(requests[0]!.init.body as string)).toEqual({
      attempt_id: 'att_1',
      order_id: 'call_1',
      attempt_number: 2,
      to: PERSON,
      from: '+12025550199',
      media_url: 'ws://127.0.0.1:1/media',
      status_url: 'http://service.test/carrier-events/simulated',
      ring_timeout_secs: 30,
    })
  })

  it('gives the reason and the SIP code of a refusal', async () => {
    const body = { code: 'invalid_number', message: 'no', sip_code: 484 }
    expect(await answering(400, body).telephony.dial(REQUEST)).toEqual({
      kind: 'refused',
      sipCode: 484,
      reason: 'invalid_number',
    })
  })

  it('may ask for a hang-up or a search again, whatever went wrong', async () => {
    const { telephony } = answering(500, {})
    const late = simulatedTelephony({
      baseUrl: 'http://carrier.test/v1',
      token: TOKEN,
      statusUrl: 'http://service.test/carrier-events/simulated',
      fetch: () => Promise.reject(new DOMException('too late', 'TimeoutError')),
    })
    for (const port of [telephony, late]) {
      await expect(port.hangUp('sim_1')).rejects.toMatchObject({ retryable: true })
      await expect(port.find('att_1')).rejects.toMatchObject({ retryable: true })
    }
    await expect(late.dial(REQUEST)).rejects.toMatchObject({ retryable: false })
  })

  it.each([
    [429, { 'retry-after': '7' }, { retryable: true, status: 429, retryAfterSecs: 7 }],
    [503, {}, { retryable: true, status: 503, retryAfterSecs: null }],
    [500, {}, { retryable: false, status: 500 }],
    [401, {}, { retryable: false, status: 401 }],
    [404, {}, { retryable: false, status: 404 }],
    // Placed, perhaps, though the answer does not say which call it is.
    [201, {}, { retryable: false, status: 201 }],
  ])('throws on an unfit answer %i', async (status, headers: Record<string, string>, error) => {
    const { telephony } = answering(status, { message: 'x' }, headers)
    await expect(telephony.dial(REQUEST)).rejects.toMatchObject({ name: 'AdapterError', ...error })
  })
})
