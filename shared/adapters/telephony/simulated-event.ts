import { createHmac, timingSafeEqual } from 'node:crypto'

import type { CarrierEvent } from '#shared/domain/call-attempt/carrier-event.ts'
import type { CarrierCallback, CarrierEvents } from '#shared/ports/carrier-events.ts'

/** The simulated carrier as a source of carrier events; its callbacks are signed with `secret`. */
export function simulatedCarrierEvents({ secret }: { readonly secret: string }): CarrierEvents {
  const signed = ({ headers, rawBody }: CarrierCallback) => ({
    rawBody,
    signature: headers['x-carrier-signature'],
    secret,
  })
  return {
    read: (callback) =>
      callback.provider === 'simulated'
        ? readSimulatedEvent(signed(callback))
        : { kind: 'refused', reason: 'unknown_provider' },
    readInbound: (callback) =>
      callback.provider === 'simulated'
        ? readSimulatedInbound(signed(callback))
        : { kind: 'refused', reason: 'unknown_provider' },
  }
}

interface SignedCallback {
  readonly rawBody: string
  /** Its header `x-carrier-signature`. */
  readonly signature: string | undefined
  readonly secret: string
}

/** Reads one status callback. */
export function readSimulatedEvent(callback: SignedCallback): ReturnType<CarrierEvents['read']> {
  if (!isGenuine(callback)) return { kind: 'refused', reason: 'wrong_signature' }
  const event = decode(parseObject(callback.rawBody))
  return event === null ? { kind: 'refused', reason: 'malformed' } : { kind: 'event', event }
}

function readSimulatedInbound(callback: SignedCallback): ReturnType<CarrierEvents['readInbound']> {
  if (!isGenuine(callback)) return { kind: 'refused', reason: 'wrong_signature' }
  const { call_id: carrierCallId, from, to } = parseObject(callback.rawBody)
  const isKnown = from === null || isText(from)
  if (!isText(carrierCallId) || !isKnown || !isText(to)) {
    return { kind: 'refused', reason: 'malformed' }
  }
  const call = { provider: 'simulated', carrierCallId, from, to, isTest: true }
  return { kind: 'call', call }
}

function isGenuine({ rawBody, signature = '', secret }: SignedCallback): boolean {
  const digest = createHmac('sha256', secret).update(rawBody).digest('hex')
  return isEqual(signature, `sha256=${digest}`)
}

/** In constant time. */
function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

type Fields = Readonly<Record<string, unknown>>

function decode(fields: Fields): CarrierEvent | null {
  const { order_id: orderId, attempt_id: attemptId, call_id: carrierCallId } = fields
  const number = fields['attempt_number']
  const at = Date.parse(String(fields['at']))
  const event = decodeStatus(fields)
  if (!isText(orderId) || !isText(attemptId) || !isText(carrierCallId)) return null
  if (!Number.isSafeInteger(number) || Number.isNaN(at) || event === null) return null
  return { orderId, number: number as number, attemptId, carrierCallId, at, event }
}

function decodeStatus(fields: Fields): CarrierEvent['event'] | null {
  const { status, sip_code: sipCode, ended_by: endedBy } = fields
  if (status === 'ringing' || status === 'answered') return { type: status }
  if (status !== 'ended') return null
  if (endedBy !== 'callee' && endedBy !== 'caller' && endedBy !== 'carrier') return null
  if (sipCode !== null && typeof sipCode !== 'number') return null
  return { type: 'ended', cause: { sipCode, reason: null, q850: null, endedBy } }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function parseObject(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Fields) : {}
  } catch {
    return {}
  }
}
