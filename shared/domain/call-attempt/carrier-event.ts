import type { CarrierCause } from './classify-carrier-cause.ts'

/**
 * What a carrier reports of one dial, in words that are no vendor's. Each adapter reads its vendor's
 * callback into this; reports may be late, doubled, out of order, or never come.
 */
export interface CarrierEvent {
  readonly orderId: string
  /** The attempt's number, from 1. */
  readonly number: number
  readonly attemptId: string
  readonly carrierCallId: string
  /** Epoch ms, by the carrier's clock. */
  readonly at: number
  readonly event:
    | { readonly type: 'ringing' }
    | { readonly type: 'answered' }
    | { readonly type: 'ended'; readonly cause: CarrierCause }
}
