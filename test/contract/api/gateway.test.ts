import { once } from 'node:events'
import { connect } from 'node:net'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { type Api, startApi } from '#test/support/api-server.ts'

let api: Api
beforeAll(async () => void (api = await startApi()))
afterAll(() => api.stop())

/** Sends bytes as they are and reads until the server hangs up. */
async function sendRaw(text: string): Promise<string> {
  const socket = connect(api.port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => {})
  socket.end(text)
  await once(socket, 'close')
  return Buffer.concat(chunks).toString('latin1')
}

/** The event that the handler of carrier events was called with. */
async function eventOf(path: string, body: string | Uint8Array<ArrayBuffer>, type: string) {
  const headers = { 'content-type': type, cookie: 'a=1; b=2', 'X-Two': 'one' }
  const answer = await api.request('POST', `/v1/carrier-events/${path}`, {
    key: null,
    text: body,
    headers,
  })
  return answer.body
}

describe('the event that a handler gets', () => {
  test('is one of API Gateway, payload format 2.0', async () => {
    const event = await eventOf('a%20b?x=1&x=2&y=%2F', '{"a":1}', 'application/json')
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: 'POST /carrier-events/{provider}',
      rawPath: '/v1/carrier-events/a%20b',
      rawQueryString: 'x=1&x=2&y=%2F',
      queryStringParameters: { x: '1,2', y: '/' },
      pathParameters: { provider: 'a b' },
      cookies: ['a=1', 'b=2'],
      headers: { 'x-two': 'one', 'content-type': 'application/json' },
      requestContext: { http: { method: 'POST', path: '/v1/carrier-events/a%20b' } },
      body: '{"a":1}',
      isBase64Encoded: false,
    })
    expect(event.headers).not.toHaveProperty('cookie')
    expect(event.requestContext.authorizer.lambda).toBeNull()
  })

  test.each<[type: string, bytes: number[], isBase64Encoded: boolean]>([
    ['application/x-www-form-urlencoded', [0x61, 0x3d, 0x62], true],
    ['application/octet-stream', [0, 1, 2], true],
    ['application/json', [0x22, 0xff, 0x22], true],
    ['text/plain', [0x61], false],
  ])('carries a body of type %s', async (type, bytes, isBase64Encoded) => {
    const event = await eventOf('p', new Uint8Array(bytes), type)
    expect(event.isBase64Encoded).toBe(isBase64Encoded)
    expect([...Buffer.from(event.body, isBase64Encoded ? 'base64' : 'utf8')]).toEqual(bytes)
  })
})

describe('whatever arrives gets one answer', () => {
  test.each<[name: string, request: string, status: number]>([
    ['no path', 'GET  HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['garbage', '\u0000\u0001\u0002\r\n\r\n', 400],
    [
      'an absolute target',
      'GET http://x/v1/call/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      404,
    ],
    ['two slashes', 'GET //v1/call/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
    ['a star', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
    ['a broken escape', 'GET /v1/call/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 401],
    [
      'a query of nothing',
      'GET /v1/call/1?&&%=& HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      401,
    ],
  ])('%s', async (_name, request, status) => {
    expect(await sendRaw(request)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  test('HEAD gets its head only', async () => {
    const answer = await sendRaw('HEAD /v1/call/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1.1 405 [^]*\r\n\r\n$/)
  })

  test('a client that leaves in the middle of its body harms nobody', async () => {
    await sendRaw('POST /v1/call HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{')
    expect((await api.request('GET', '/v1/call/x')).status).toBe(404)
  })

  test('a body above 10 MB is refused while it is read', async () => {
    const head = `POST /v1/call HTTP/1.1\r\nHost: x\r\nContent-Length: ${11 * 1024 * 1024}\r\n\r\n`
    expect(await sendRaw(head + 'x'.repeat(11 * 1024 * 1024))).toMatch(/^HTTP\/1.1 413 /)
    expect((await api.request('GET', '/v1/call/x')).status).toBe(404)
  })

  test('a handler that throws is answered with a 500, and told', async () => {
    const broken = await startApi({ 'carrier-events': () => Promise.reject(new Error('gone')) })
    const answer = await broken.request('POST', '/v1/carrier-events/x', { key: null })
    await broken.stop()
    expect([answer.status, answer.body]).toEqual([500, { message: 'Internal Server Error' }])
    expect(broken.faults).toMatchObject([{ message: 'gone' }])
  })
})
