import type { CarrierEvent } from '#shared/domain/call-attempt/carrier-event.ts'

/** Reads the callbacks of carriers: who sent it, and what it says in words that are no vendor's. */
export interface CarrierEvents {
  read(callback: {
    /** Of the path: which carrier is said to have sent it. */
    readonly provider: string
    /** Names in lower case. */
    readonly headers: Readonly<Record<string, string | undefined>>
    readonly rawBody: string
  }):
    | { readonly kind: 'event'; readonly event: CarrierEvent }
    | {
        readonly kind: 'refused'
        readonly reason: 'unknown_provider' | 'wrong_signature' | 'malformed'
      }
}
