import http from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { webClient } from '#shared/adapters/notify/web-client.ts'
import type { CustomTool } from '#shared/domain/assistant.ts'
import { callCustomTool } from '#shared/use-cases/call-custom-tool.ts'
import { manualTimers } from '#test/support/manual-timers.ts'
import { until } from '#test/support/until.ts'

interface Received {
  readonly line: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

let received: Received[] = []
let answer: (response: http.ServerResponse) => void
let server: http.Server
let url: string

beforeAll(async () => {
  server = http.createServer((request, response) => {
    const pieces: Uint8Array[] = []
    request.on('data', (piece: Uint8Array) => pieces.push(piece))
    request.on('end', () => {
      const line = `${request.method} ${request.url}`
      received.push({ line, headers: request.headers, body: Buffer.concat(pieces).toString() })
      answer(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  received = []
  answer = (response) => response.end('{"booked":true}')
})

const timers = manualTimers()

function call(
  change: Partial<CustomTool> = {},
  options: { signal?: AbortSignal; open?: boolean } = {},
) {
  const tool: CustomTool = {
    name: 'book',
    description: 'Books a slot.',
    method: 'POST',
    url: `${url}/slots/{{day}}`,
    headers: [{ key: 'X-Who', value: '{{who}}' }],
    queryParams: [{ key: 'lang', value: 'de' }],
    bodyTemplate: '{"day": "{{day}}", "who": "{{who}}"}',
    inputSchema: [{ name: 'day', type: 'string', required: true }],
    ...change,
  }
  return callCustomTool(webClient({ allowLoopback: options.open ?? true, timers }), {
    tool,
    argumentsJson: '{"day": "Tue/sday"}',
    variables: { who: 'Zoë "Z"\nX' },
    signal: options.signal ?? new AbortController().signal,
  })
}

describe('a custom tool', () => {
  it('is sent as its templates say, and its answer is the output', async () => {
    expect(await call()).toEqual({ output: '{"booked":true}', isError: false })
    const [{ line, headers, body }] = received as [Received]
    expect(line).toBe('POST /slots/Tue%2Fsday?lang=de')
    expect(Buffer.from(headers['x-who'] as string, 'latin1').toString()).toBe('Zoë "Z" X')
    expect(headers['content-type']).toBe('application/json')
    expect(body).toBe(String.raw`{"day":"Tue/sday","who":"Zoë \"Z\"\nX"}`)
  })

  it.each(['GET', 'PUT', 'PATCH', 'DELETE'] as const)('is sent by %s', async (method) => {
    await call({ method })
    expect(received[0]!.line).toMatch(new RegExp(`^${method} `))
    expect(received[0]!.body === '').toBe(method === 'GET')
  })

  it('that answers with an error is one, and the model reads why', async () => {
    answer = (response) => response.writeHead(409).end('taken')
    expect(await call()).toEqual({
      output: 'The tool answered with HTTP 409. taken',
      isError: true,
    })
  })

  it('that leads elsewhere is not followed', async () => {
    answer = (response) => response.writeHead(302, { location: `${url}/other` }).end()
    expect((await call()).output).toBe('The tool answered with HTTP 302.')
    expect(received).toHaveLength(1)
  })

  it('that answers with too much is an error', async () => {
    answer = (response) => response.end('x'.repeat(256 * 1024 + 1))
    expect(await call()).toEqual({ output: 'The answer of the tool was too long.', isError: true })
  })

  it('that does not answer is given up', async () => {
    answer = () => {}
    const asked = call()
    await until('the request has arrived', () => (received.length > 0 ? true : null))
    timers.fire(10_000)
    expect(await asked).toEqual({
      output: 'The tool could not be called: no answer in time.',
      isError: true,
    })
  })

  it('that stops in the middle of its answer is given up, too', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half')
    }
    const asked = call()
    await until('the request has arrived', () => (received.length > 0 ? true : null))
    timers.fire(10_000)
    expect((await asked).isError).toBe(true)
  })

  it('that hangs up is an error', async () => {
    answer = (response) => response.destroy()
    expect((await call()).output).toBe('The tool could not be called: connection failed.')
  })

  it('of a private address is never reached', async () => {
    expect((await call({}, { open: false })).isError).toBe(true)
    expect(received).toEqual([])
  })

  it('is not sent without what it needs', async () => {
    const needy = await call({ url: `${url}/{{nobody}}` })
    expect(needy).toEqual({ output: 'The address needs a value for nobody.', isError: true })
    expect(received).toEqual([])
  })

  it('can be cancelled', async () => {
    answer = () => {}
    const abort = new AbortController()
    const asked = call({}, { signal: abort.signal })
    await until('the request has arrived', () => (received.length > 0 ? true : null))
    abort.abort(new Error('interrupted'))
    await expect(asked).rejects.toThrow('interrupted')
  })
})
