import type { CarrierEvent } from '#shared/domain/call-attempt/carrier-event.ts'
import type { InboundCall } from '#shared/domain/call-attempt/inbound-call.ts'

/** Reads the callbacks of carriers: who sent it, and what it says in words that are no vendor's. */
export interface CarrierEvents {
  /** What becomes of a call. */
  read(
    callback: CarrierCallback,
  ): { readonly kind: 'event'; readonly event: CarrierEvent } | CarrierRefusal
  /** Somebody calls one of our numbers. */
  readInbound(
    callback: CarrierCallback,
  ): { readonly kind: 'call'; readonly call: InboundCall } | CarrierRefusal
}

export interface CarrierCallback {
  /** Of the path: which carrier is said to have sent it. */
  readonly provider: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly rawBody: string
}

export interface CarrierRefusal {
  readonly kind: 'refused'
  readonly reason: 'unknown_provider' | 'wrong_signature' | 'malformed'
}
