/** A carrier: places calls; what becomes of them arrives as carrier events over HTTP. */
export interface Telephony {
  /** Throws AdapterError; one that is retryable means that the call was surely not placed. */
  dial(request: DialRequest): Promise<DialResult>
  /** Takes a call that came in. Asking again is harmless. Throws AdapterError. */
  answer(request: AnswerRequest): Promise<DialResult>
  /** Harmless when the call has ended. */
  hangUp(carrierCallId: string): Promise<void>
  /** What the carrier knows of an attempt whose dial was not answered; null when nothing. */
  find(attemptId: string): Promise<{ carrierCallId: string; isLive: boolean } | null>
}

export interface DialRequest {
  readonly attemptId: string
  readonly orderId: string
  readonly number: number
  readonly to: string
  readonly from: string
  /** Where the carrier opens its media WebSocket when the call is answered. */
  readonly mediaUrl: string
  readonly ringTimeoutSecs: number
}

/** The call that came in, and whose it is from now on. */
export type AnswerRequest = Pick<DialRequest, 'attemptId' | 'orderId' | 'number' | 'mediaUrl'> & {
  readonly carrierCallId: string
}

export type DialResult =
  | { readonly kind: 'placed'; readonly carrierCallId: string }
  /** The carrier refused at once; `cause` in the carrier-neutral form of carrier-event.ts. */
  | { readonly kind: 'refused'; readonly sipCode: number | null; readonly reason: string | null }
