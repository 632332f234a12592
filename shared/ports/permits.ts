import type { HeldPermit } from '#shared/domain/call-attempt/attempt.ts'

/** Capacity as leases (reference/aws.md 2.4): a cap is never exceeded, a dead holder's lease ends. */
export interface Permits {
  /** Null when the cap is reached. Asking again for the same holder gives the same permit. */
  acquire(request: PermitRequest): Promise<HeldPermit | null>
  /** Harmless when repeated. */
  release(permit: HeldPermit, holder: string): Promise<void>
  /** False when the lease had run out and went to somebody else: the capacity is not held any more. */
  extend(permit: HeldPermit, holder: string, until: number): Promise<boolean>
  /** How many more may be acquired now. */
  room(request: Pick<PermitRequest, 'scope' | 'cap' | 'now'>): Promise<number>
  /** Sets what counts from now on as the cap of a scope, whatever requests say. */
  setCap(scope: string, cap: number): Promise<void>
  /** How many unexpired leases the scope has. */
  count(scope: string, now: number): Promise<number>
}

export interface PermitRequest {
  /** For example `TO#<org>#<e164>`, `KEY#<org>#<key>`, `ORG#<org>`, `TRUNK#<id>`. */
  readonly scope: string
  /** Counts unless the scope has one that was set. */
  readonly cap: number
  /** The attempt id. */
  readonly holder: string
  /** Epoch ms. */
  readonly now: number
  readonly until: number
}
