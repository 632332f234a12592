import type { IdempotencyRecord } from '#shared/domain/idempotency.ts'

import type { Change, SaveResult } from './change.ts'

/** What became of requests that named an idempotency key. Records may vanish after they expired. */
export interface IdempotencyStore {
  find(id: string): Promise<IdempotencyRecord | null>
  save(change: Change<IdempotencyRecord>): Promise<SaveResult>
}
