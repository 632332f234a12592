/** Requests that a client may send again without asking twice (decisions 1, Idempotency-Key). */

/** How long an answer is kept. */
export const ANSWER_KEPT_MS = 24 * 60 * 60 * 1000

/** How long one request may be worked on: as long as API Gateway waits for it. */
export const CLAIM_MS = 30_000

/** What is known of a request under its key. */
export interface IdempotencyRecord {
  /** Made of organization, operation and key. */
  readonly id: string
  readonly version: number
  /** Made of everything else that was asked for. */
  readonly fingerprint: string
  /** The answer holds a secret: it is sealed where it is stored. */
  readonly isSecret: boolean
  /** Epoch ms of the first claim. Every id that the request hands out is derived from it. */
  readonly startedAt: number
  /** Epoch ms: until then somebody works on it. */
  readonly claimedUntil: number
  /** Epoch ms: from then on it is as if it had never been. */
  readonly expiresAt: number
  /** Null until the work is done. */
  readonly answer: { readonly body: unknown } | null
}

export type IdempotentRequest = Pick<IdempotencyRecord, 'id' | 'fingerprint' | 'isSecret'>

export type ClaimDecision =
  /** Work, after this record is saved. `isRepeat`: an earlier run may have done some of it. */
  | { readonly kind: 'claim'; readonly record: IdempotencyRecord; readonly isRepeat: boolean }
  | { readonly kind: 'answered'; readonly body: unknown }
  | { readonly kind: 'inFlight' }
  /** The key stands for something else. */
  | { readonly kind: 'reused' }

/** What is to be done with a request, given what is known under its key. */
export function decideClaim(
  known: IdempotencyRecord | null,
  request: IdempotentRequest,
  now: number,
): ClaimDecision {
  if (known === null || known.expiresAt <= now) {
    const record: IdempotencyRecord = {
      ...request,
      version: (known?.version ?? 0) + 1,
      startedAt: now,
      claimedUntil: now + CLAIM_MS,
      expiresAt: now + ANSWER_KEPT_MS,
      answer: null,
    }
    return { kind: 'claim', record, isRepeat: false }
  }
  if (known.fingerprint !== request.fingerprint) return { kind: 'reused' }
  if (known.answer !== null) return { kind: 'answered', body: known.answer.body }
  if (known.claimedUntil > now) return { kind: 'inFlight' }
  const record = { ...known, version: known.version + 1, claimedUntil: now + CLAIM_MS }
  return { kind: 'claim', record, isRepeat: true }
}

export type Settlement =
  /** The answer is given again to whoever asks again. */
  | { readonly kind: 'answered'; readonly body: unknown }
  /** Nothing was done: the key is free. */
  | { readonly kind: 'nothingDone' }
  /** Something may have been done: the next one goes on where this one stopped. */
  | { readonly kind: 'interrupted' }

/** What is known after the work. */
export function settle(
  claimed: IdempotencyRecord,
  settlement: Settlement,
  now: number,
): IdempotencyRecord {
  const after = { ...claimed, version: claimed.version + 1, claimedUntil: now }
  switch (settlement.kind) {
    case 'answered':
      return { ...after, answer: { body: settlement.body } }
    case 'nothingDone':
      return { ...after, expiresAt: now }
    case 'interrupted':
      return after
  }
}
