import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

import { expect, it } from 'vitest'

import { configuredTraces } from '#shared/adapters/traces/otlp.ts'
import type { CallTrace } from '#shared/ports/traces.ts'
import { collectingLogger } from '#test/unit/voice-runtime/session/scripted-vendors.ts'

const TRACE: CallTrace = {
  orderId: 'call_1',
  number: 2,
  startedAt: 1_800_000_000_000,
  spans: [
    {
      name: 'call',
      parent: null,
      startAtMs: 0,
      endAtMs: 1_500,
      attributes: { 'call.result': 'human' },
      events: [],
      isError: false,
    },
    {
      name: 'llm',
      parent: 0,
      startAtMs: 250,
      endAtMs: 700,
      attributes: { 'llm.ttft_ms': 12.5, 'llm.was_cancelled': true, 'llm.tokens': 7 },
      events: [{ name: 'first_token', atMs: 300 }],
      isError: true,
    },
  ],
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly unknown[] }
    readonly scopeSpans: readonly { readonly spans: readonly Record<string, unknown>[] }[]
  }[]
}

async function sent(status: number, environment: Record<string, string> = {}) {
  const requests: { url: string | undefined; key: unknown; body: Sent }[] = []
  await using server = createServer((request, response) => {
    void json(request).then((body) => {
      requests.push({ url: request.url, key: request.headers['x-key'], body: body as Sent })
      response.writeHead(status).end()
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const answered = Promise.withResolvers<void>()
  const logger = collectingLogger()
  const traces = configuredTraces(
    { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, ...environment },
    { logger, fetch: (...request) => fetch(...request).finally(() => answered.resolve()) },
  )
  traces?.export(TRACE)
  await answered.promise
  await new Promise((resolve) => setImmediate(resolve))
  return { requests, logger }
}

it('sends a call as OTLP over HTTP', async () => {
  const { requests, logger } = await sent(200, { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b' })
  expect(logger.messages).toEqual([])
  expect(requests).toMatchObject([{ url: '/v1/traces', key: 'a b' }])
  const { resource, scopeSpans } = requests[0]!.body.resourceSpans[0]!
  expect(resource.attributes).toContainEqual({
    key: 'service.name',
    value: { stringValue: 'parley-voice-runtime' },
  })
  const [call, llm] = scopeSpans[0]!.spans
  expect(call).toMatchObject({
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
    name: 'call',
    startTimeUnixNano: '1800000000000000000',
    endTimeUnixNano: '1800000001500000000',
  })
  expect(call?.['parentSpanId']).toBeUndefined()
  expect(call?.['attributes']).toEqual([
    { key: 'call.id', value: { stringValue: 'call_1' } },
    { key: 'call.attempt', value: { intValue: '2' } },
    { key: 'call.result', value: { stringValue: 'human' } },
  ])
  expect(llm).toMatchObject({
    traceId: call?.['traceId'],
    parentSpanId: call?.['spanId'],
    status: { code: 2 },
    events: [{ name: 'first_token', timeUnixNano: '1800000000300000000' }],
    attributes: [
      { key: 'llm.ttft_ms', value: { doubleValue: 12.5 } },
      { key: 'llm.was_cancelled', value: { boolValue: true } },
      { key: 'llm.tokens', value: { intValue: '7' } },
    ],
  })
})

it('goes on when the collector refuses', async () => {
  const { logger } = await sent(503)
  expect(logger.messages).toEqual(['a trace was not taken'])
})

it('is off unless an endpoint is named, and refuses headers that are none', () => {
  const deps = { logger: collectingLogger(), fetch }
  expect(configuredTraces({}, deps)).toBeNull()
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_EXPORTER_OTLP_HEADERS: 'secret',
  }
  expect(() => configuredTraces(environment, deps)).toThrow(/OTEL_EXPORTER_OTLP_HEADERS/)
})
