import { randomBytes } from 'node:crypto'

import type { Logger } from '#shared/ports/logger.ts'
import type { CallTrace, Span, Traces } from '#shared/ports/traces.ts'

import { textOf, urlOf } from '../environment.ts'
import type { Environment } from '../environment.ts'

const TIMEOUT_MS = 10_000
const NANOSECONDS = '000000'
const INTERNAL = 1
const STATUS_ERROR = 2

/**
 * Sends traces to an OpenTelemetry collector, as JSON over HTTP (OTLP 1.x, the specification's
 * `OTEL_*` variables); null when the environment names none. A trace that cannot be sent is lost.
 */
export function configuredTraces(
  environment: Environment,
  deps: { readonly logger: Logger; readonly fetch: typeof fetch },
): Traces | null {
  const base = urlOf(environment, 'OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'])
  if (base === undefined) return null
  const url = `${base.replace(/\/+$/, '')}/v1/traces`
  const headers = { 'content-type': 'application/json', ...headersIn(environment) }
  const service = textOf(environment, 'OTEL_SERVICE_NAME') ?? 'parley-voice-runtime'
  return {
    export(trace) {
      deps
        .fetch(url, {
          method: 'POST',
          headers,
          body: JSON.stringify(requestOf(trace, service)),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        })
        .then(async (response) => {
          await response.body?.cancel()
          if (!response.ok) throw new Error(`the collector answered ${response.status}`)
        })
        .catch((error: unknown) => deps.logger.warn('a trace was not taken', { error }))
    },
  }
}

/** `OTEL_EXPORTER_OTLP_HEADERS`: `name=value,name=value`, values URL-encoded. */
function headersIn(environment: Environment): Record<string, string> {
  const pairs = textOf(environment, 'OTEL_EXPORTER_OTLP_HEADERS')?.split(',') ?? []
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=')
      if (name.trim() === '' || value.length === 0) {
        throw new RangeError('OTEL_EXPORTER_OTLP_HEADERS must be name=value, with commas between')
      }
      return [name.trim(), decodeURIComponent(value.join('=').trim())]
    }),
  )
}

/** opentelemetry-proto, `ExportTraceServiceRequest` in JSON. */
function requestOf(trace: CallTrace, service: string): object {
  const traceId = randomBytes(16).toString('hex')
  const ids = trace.spans.map(() => randomBytes(8).toString('hex'))
  const at = (atMs: number) => `${trace.startedAt + Math.round(atMs)}${NANOSECONDS}`
  const own = { 'call.id': trace.orderId, 'call.attempt': trace.number }
  const spans = trace.spans.map((span, index) => ({
    traceId,
    spanId: ids[index],
    ...(span.parent !== null && { parentSpanId: ids[span.parent] }),
    name: span.name,
    kind: INTERNAL,
    startTimeUnixNano: at(span.startAtMs),
    endTimeUnixNano: at(Math.max(span.startAtMs, span.endAtMs)),
    attributes: attributesOf({ ...(span.parent === null && own), ...span.attributes }),
    events: span.events.map(({ name, atMs }) => ({ name, timeUnixNano: at(atMs) })),
    status: span.isError ? { code: STATUS_ERROR } : {},
  }))
  const scope = { name: 'parley' }
  const resource = { attributes: attributesOf({ 'service.name': service }) }
  return { resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] }
}

function attributesOf(attributes: Span['attributes']): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }))
}

function valueOf(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
