import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Clock, Timers } from '#shared/ports/clock.ts'

import type { CalleeSound } from './callee-sound.ts'
import type { Callee } from './callee.ts'
import { dialRequest, refusalOf, type SimulatedDial } from './dial-request.ts'
import { answerRequest, InboundCall } from './inbound-call.ts'
import type { LineOptions } from './line-call.ts'
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
  /** Where the service is told of calls to its numbers; absent: nobody calls it. */
  readonly inboundUrl?: string
  /** Other callees than those of the test numbers. */
  readonly planDial?: (to: string, dialsBefore: number) => DialPlan
}

export interface SimulatedCarrier {
  /** A request listener for `node:http`; `{basePath}/calls` is all it knows. */
  handle(request: IncomingMessage, response: ServerResponse): void
  /** When somebody next calls the service of their own accord (epoch ms); null: nobody will. */
  nextAt(): number | null
  /** Makes the calls that are due at `now`; how many there were. */
  takeDue(now: number): Promise<number>
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
    nextAt: () => exchange.nextAt(),
    takeDue: (now) => exchange.takeDue(now),
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
  const answered = /^\/calls\/([^/]+)\/answer$/.exec(path)
  if (request.method === 'POST' && answered?.[1] !== undefined) {
    return exchange.answer(answered[1], body)
  }
  if (request.method === 'POST' && hangUp?.[1] !== undefined) return exchange.hangUp(hangUp[1])
  if (request.method !== 'GET' || path !== '/calls') return NOT_FOUND
  const attemptId = url.searchParams.get('attempt_id')
  return attemptId === null ? exchange.list() : exchange.find(attemptId)
}

/** Somebody will call the service. */
interface PlannedCall {
  /** Epoch ms. */
  readonly at: number
  readonly from: string
  readonly to: string
  readonly caller: Callee
}

/** The calls that this carrier was asked for, in the order of the dials; one for each attempt. */
class Exchange {
  readonly #options: SimulatedCarrierOptions
  readonly #calls = new Map<string, SimulatedCall>()
  /** Calls to the service, by call id. */
  readonly #inbound = new Map<string, InboundCall>()
  #planned: PlannedCall[] = []
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

  answer(callId: string, body: string): Answer {
    const parsed = answerRequest.safeParse(parseJson(body))
    if (!parsed.success) return { status: 400, body: refusalOf(parsed.error) }
    const call = this.#inbound.get(callId)
    if (call === undefined) return NOT_FOUND
    return { status: call.answer(parsed.data) ? 200 : 410, body: { call_id: callId } }
  }

  hangUp(callId: string): Answer {
    const call = this.#inbound.get(callId) ?? this.#calls.values().find(({ id }) => id === callId)
    if (call === undefined) return NOT_FOUND
    call.hangUp()
    return { status: 200, body: { call_id: callId } }
  }

  find(attemptId: string): Answer {
    const call =
      this.#calls.get(attemptId) ??
      this.#inbound.values().find((inbound) => inbound.attemptId === attemptId)
    if (call === undefined) return NOT_FOUND
    return { status: 200, body: { call_id: call.id, is_live: call.isLive } }
  }

  list(): Answer {
    const calls = [...this.#calls.values(), ...this.#inbound.values()].map((call) => call.record())
    const byTime = calls.sort((one, other) => (one.at < other.at ? -1 : 1))
    return { status: 200, body: { calls: byTime } }
  }

  close(): void {
    this.#closing.abort()
    for (const call of this.#calls.values()) call.hangUp()
    for (const call of this.#inbound.values()) call.hangUp()
  }

  nextAt(): number | null {
    return this.#planned.length === 0 ? null : Math.min(...this.#planned.map(({ at }) => at))
  }

  async takeDue(now: number): Promise<number> {
    const due = this.#planned.filter(({ at }) => at <= now)
    this.#planned = this.#planned.filter(({ at }) => at > now)
    await Promise.all(due.map((planned) => this.#callService(planned)))
    return due.length
  }

  async #callService({ from, to, caller }: PlannedCall): Promise<void> {
    const { inboundUrl } = this.#options
    if (inboundUrl === undefined || this.#closing.signal.aborted) return
    const call = new InboundCall({
      ...this.#line(),
      id: `sim_${randomUUID()}`,
      from,
      to,
      caller,
      inboundUrl,
    })
    this.#inbound.set(call.id, call)
    await call.announce()
  }

  #line(): LineOptions {
    return {
      ...this.#options,
      faults: this.#options.faults ?? {},
      signal: this.#closing.signal,
    }
  }

  /** Whoever calls back does so from the number that was called. */
  #planCallback({ from, to }: SimulatedDial, plan: DialPlan): void {
    if (plan.kind !== 'answers' || plan.callsBack === undefined) return
    const { afterMs, caller } = plan.callsBack
    const at = this.#options.clock.now() + afterMs
    this.#planned.push({ at, from: to, to: from, caller })
  }

  #place(dial: SimulatedDial): SimulatedCall {
    const planOf = this.#options.planDial ?? planDial
    const longestRingSecs = this.#options.ringTimeoutSecs ?? RING_TIMEOUT_SECS
    const dialsBefore = this.#calls
      .values()
      .filter((call) => call.dial.order_id === dial.order_id && call.dial.to === dial.to)
      .toArray().length
    const plan = planOf(dial.to, dialsBefore)
    return new SimulatedCall({
      ...this.#line(),
      id: `sim_${randomUUID()}`,
      dial,
      plan,
      ringTimeoutSecs: Math.min(dial.ring_timeout_secs, longestRingSecs),
      onEnded: () => this.#planCallback(dial, plan),
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
