/** A call to one of our numbers, in words that are no carrier's; it rings until it is answered. */
export interface InboundCall {
  /** The carrier that reports it. */
  readonly provider: string
  readonly carrierCallId: string
  /** E.164; null when the caller withholds it. */
  readonly from: string | null
  /** E.164. */
  readonly to: string
  /** It comes from a simulated carrier. */
  readonly isTest: boolean
}
