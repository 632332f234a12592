import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Clock, Timers } from '#shared/ports/clock.ts'

import type { CalleeSound } from './callee-sound.ts'
import { dialRequest, refusalOf, type SimulatedDial } from './dial-request.ts'
import { SimulatedCall } from './simulated-call.ts'
import type { CallbackFaults } from './status-callbacks.ts'
import { planDial, type DialPlan } from './test-numbers.ts'

export interface SimulatedCarrierOptions {
  /** What stands before `/calls` in the paths that reach `handle`; empty when nothing does. */
  readonly basePath?: string
  /** Asked of every request as a bearer token. */
  readonly token: string
  /** Signs the status callbacks. */
  readonly eventSecret: string
  /** No phone rings for longer, whatever the caller asks; 5 when absent. */
  readonly ringTimeoutSecs?: number
  readonly sound: CalleeSound
  readonly clock: Clock
  readonly timers: Timers
  /** The one ticker of the process; calls `run` until the returned function is called. */
  readonly every20ms: (run: () => void) => () => void
  readonly faults?: CallbackFaults
  /** Other callees than those of the test numbers. */
  readonly planDial?: (to: string, dialsBefore: number) => DialPlan
}

export interface SimulatedCarrier {
  /** A request listener for `node:http`; `{basePath}/calls` is all it knows. */
  handle(request: IncomingMessage, response: ServerResponse): void
  /** Ends every call; no callback is sent any more. */
  close(): void
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

const RING_TIMEOUT_SECS = 5
const MAX_BODY_BYTES = 64 * 1024
/** Calls kept for `GET /calls`; beyond it the oldest ended one is forgotten. */
const MAX_REMEMBERED = 10_000
const NOT_FOUND: Answer = { status: 404, body: { code: 'not_found', message: 'no such call' } }

/**
 * A carrier on one machine: it accepts dials over HTTP, reports what becomes of them, and connects
 * the media of those that are answered to callees of fixed behaviour (decisions 6).
 */
export function simulatedCarrier(options: SimulatedCarrierOptions): SimulatedCarrier {
  const exchange = new Exchange(options)
  return {
    handle: (request, response) => {
      respond(exchange, options, { request, response }).catch(() => response.destroy())
    },
    close: () => exchange.close(),
  }
}

async function respond(
  exchange: Exchange,
  { token, basePath = '' }: SimulatedCarrierOptions,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const body = await readBody(request)
  const answer = isAuthorized(request, token)
    ? route(exchange, { request, body, basePath })
    : { status: 401, body: { code: 'unauthorized', message: 'wrong bearer token' } }
  response.writeHead(answer.status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(answer.body))
}

function route(
  exchange: Exchange,
  { request, body, basePath }: { request: IncomingMessage; body: string; basePath: string },
): Answer {
  const url = new URL(request.url ?? '/', 'http://carrier')
  if (!url.pathname.startsWith(`${basePath}/calls`)) return NOT_FOUND
  const path = url.pathname.slice(basePath.length)
  const hangUp = /^\/calls\/([^/]+)\/hang-up$/.exec(path)
  if (request.method === 'POST' && path === '/calls') return exchange.dial(body)
  if (request.method === 'POST' && hangUp?.[1] !== undefined) return exchange.hangUp(hangUp[1])
  if (request.method !== 'GET' || path !== '/calls') return NOT_FOUND
  const attemptId = url.searchParams.get('attempt_id')
  return attemptId === null ? exchange.list() : exchange.find(attemptId)
}

/** The calls that this carrier was asked for, in the order of the dials; one for each attempt. */
class Exchange {
  readonly #options: SimulatedCarrierOptions
  readonly #calls = new Map<string, SimulatedCall>()
  readonly #closing = new AbortController()

  constructor(options: SimulatedCarrierOptions) {
    this.#options = options
  }

  dial(body: string): Answer {
    const parsed = dialRequest.safeParse(parseJson(body))
    if (!parsed.success) return { status: 400, body: refusalOf(parsed.error) }
    const dial = parsed.data
    const known = this.#calls.get(dial.attempt_id)
    if (known !== undefined) return { status: 409, body: { call_id: known.id } }
    const call = this.#place(dial)
    this.#calls.set(dial.attempt_id, call)
    this.#forget()
    return { status: 201, body: { call_id: call.id } }
  }

  hangUp(callId: string): Answer {
    const call = this.#calls.values().find(({ id }) => id === callId)
    if (call === undefined) return NOT_FOUND
    call.hangUp()
    return { status: 200, body: { call_id: callId } }
  }

  find(attemptId: string): Answer {
    const call = this.#calls.get(attemptId)
    if (call === undefined) return NOT_FOUND
    return { status: 200, body: { call_id: call.id, is_live: call.isLive } }
  }

  list(): Answer {
    return { status: 200, body: { calls: [...this.#calls.values()].map((call) => call.record()) } }
  }

  close(): void {
    this.#closing.abort()
    for (const call of this.#calls.values()) call.hangUp()
  }

  #place(dial: SimulatedDial): SimulatedCall {
    const plan = this.#options.planDial ?? planDial
    const longestRingSecs = this.#options.ringTimeoutSecs ?? RING_TIMEOUT_SECS
    const dialsBefore = this.#calls
      .values()
      .filter((call) => call.dial.order_id === dial.order_id && call.dial.to === dial.to)
      .toArray().length
    return new SimulatedCall({
      ...this.#options,
      id: `sim_${randomUUID()}`,
      dial,
      plan: plan(dial.to, dialsBefore),
      ringTimeoutSecs: Math.min(dial.ring_timeout_secs, longestRingSecs),
      faults: this.#options.faults ?? {},
      signal: this.#closing.signal,
    })
  }

  #forget(): void {
    if (this.#calls.size <= MAX_REMEMBERED) return
    const oldest = this.#calls.entries().find(([, call]) => !call.isLive)
    if (oldest !== undefined) this.#calls.delete(oldest[0])
  }
}

function isAuthorized(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '')
  const expected = Buffer.from(`Bearer ${token}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Cut off at the bound, so that what is too long does not parse. */
async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
