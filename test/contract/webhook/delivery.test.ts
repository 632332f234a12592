import http from 'node:http'
import type { AddressInfo } from 'node:net'

import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { signWebhook } from '#shared/adapters/notify/sign-webhook.ts'
import { webClient } from '#shared/adapters/notify/web-client.ts'
import { manualTimers } from '#test/support/manual-timers.ts'

interface Received {
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
const OLD_SECRET = 'whsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA='

const received: Received[] = []
let answer: (response: http.ServerResponse, path: string) => void
let server: http.Server
let url: string

beforeAll(async () => {
  server = http.createServer((request, response) => {
    const pieces: Uint8Array[] = []
    request.on('data', (piece: Uint8Array) => pieces.push(piece))
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(pieces).toString() })
      answer(response, request.url ?? '')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function post(options: {
  headers?: Readonly<Record<string, string>>
  body?: string
  timers?: ReturnType<typeof manualTimers>
  allowLoopback?: boolean
}) {
  const { headers = {}, body = '{}', allowLoopback = true, timers = manualTimers() } = options
  const client = webClient({ allowLoopback, timers })
  return client.post({ url, headers, body, timeoutMs: 15_000, maxAnswerBytes: 1_000 })
}

describe('a webhook', () => {
  it('is delivered exactly as it was signed, and every valid secret verifies it', async () => {
    answer = (response) => response.writeHead(204).end()
    const body = '{"type":"call.completed","data":{"name":"Zoë"}}'
    const headers = signWebhook({
      id: 'evt_1',
      at: Date.now(),
      body,
      secrets: [SECRET, OLD_SECRET],
    })
    const result = await post({ body, headers: { ...headers, 'content-type': 'application/json' } })
    expect(result.statusCode).toBe(204)

    const last = received.at(-1)
    expect(last?.body).toBe(body)
    expect(last?.headers).toMatchObject({
      'webhook-id': 'evt_1',
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'content-length': String(Buffer.byteLength(body)),
    })
    for (const secret of [SECRET, OLD_SECRET]) {
      const given = last?.headers as Record<string, string>
      expect(new Webhook(secret).verify(body, given)).toEqual(JSON.parse(body))
      expect(() => new Webhook(secret).verify(`${body} `, given)).toThrow(/signature/)
    }
  })

  it('cannot be given the headers of the connection', async () => {
    answer = (response) => response.end()
    const reserved = {
      Host: 'evil.example',
      'Content-Length': '1',
      'Transfer-Encoding': 'chunked',
      'x-amz-security-token': 'x',
      'Proxy-Authorization': 'x',
      Authorization: 'Bearer own',
    }
    await post({ headers: reserved, body: '{"a":1}' })
    const last = received.at(-1)
    expect(last?.headers.host).toBe(new URL(url).host)
    expect(last?.headers.authorization).toBe('Bearer own')
    expect(last?.headers).not.toHaveProperty('x-amz-security-token')
    expect(last?.headers).not.toHaveProperty('proxy-authorization')
    expect(last?.body).toBe('{"a":1}')
  })
})

describe('the answer', () => {
  it('is given with its headers, whatever its status', async () => {
    answer = (response) => response.writeHead(429, { 'Retry-After': '30' }).end('slow down')
    const result = await post({})
    expect(result).toMatchObject({ statusCode: 429, headers: { 'retry-after': '30' } })
  })

  it('is a redirect when the server says so, and is not followed', async () => {
    const before = received.length
    answer = (response) => response.writeHead(307, { location: `${url}/other` }).end()
    expect((await post({})).statusCode).toBe(307)
    expect(received.length - before).toBe(1)
  })

  it('stands although its body is too long', async () => {
    const closed = new Promise<void>((resolve) => {
      answer = (response) => {
        response.on('close', resolve)
        response.writeHead(200)
        response.write('x'.repeat(2_000))
      }
    })
    expect((await post({})).statusCode).toBe(200)
    await closed
  })

  it('stands although its body is cut off', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => response.destroy())
    }
    expect((await post({})).statusCode).toBe(200)
  })

  it('that does not come in time is an error worth repeating', async () => {
    const timers = manualTimers()
    const arrived = new Promise<void>((resolve) => {
      answer = () => resolve()
    })
    const result = post({ timers }).catch((error: unknown) => error)
    await arrived
    timers.fire(15_000)
    expect(await result).toMatchObject({ name: 'AdapterError', retryable: true })
    expect(timers.waiting()).toEqual([])
  })

  it('that is cut off before its head is an error worth repeating', async () => {
    answer = (response) => response.destroy()
    await expect(post({})).rejects.toMatchObject({ name: 'AdapterError', retryable: true })
  })

  it('never comes from this machine outside the local stack', async () => {
    const before = received.length
    await expect(post({ allowLoopback: false })).rejects.toMatchObject({ retryable: false })
    expect(received.length).toBe(before)
  })
})
