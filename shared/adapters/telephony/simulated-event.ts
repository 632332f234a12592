import { createHmac, timingSafeEqual } from 'node:crypto'

import type { CarrierEvent } from '#shared/domain/call-attempt/carrier-event.ts'
import type { CarrierEvents } from '#shared/ports/carrier-events.ts'

/** The simulated carrier as a source of carrier events; its callbacks are signed with `secret`. */
export function simulatedCarrierEvents({ secret }: { readonly secret: string }): CarrierEvents {
  return {
    read: ({ provider, headers, rawBody }) =>
      provider === 'simulated'
        ? readSimulatedEvent({ rawBody, signature: headers['x-carrier-signature'], secret })
        : { kind: 'refused', reason: 'unknown_provider' },
  }
}

/** Reads one status callback; `signature` is its header `x-carrier-signature`. */
export function readSimulatedEvent(callback: {
  readonly rawBody: string
  readonly signature: string | undefined
  readonly secret: string
}): ReturnType<CarrierEvents['read']> {
  const { rawBody, signature = '', secret } = callback
  const digest = createHmac('sha256', secret).update(rawBody).digest('hex')
  if (!isEqual(signature, `sha256=${digest}`)) return { kind: 'refused', reason: 'wrong_signature' }
  const event = decode(parseObject(rawBody))
  return event === null ? { kind: 'refused', reason: 'malformed' } : { kind: 'event', event }
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
