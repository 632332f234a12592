import type { IdempotencyRecord } from '#shared/domain/idempotency.ts'
import type { IdempotencyStore } from '#shared/ports/idempotency-store.ts'

import { frozenCopy } from './frozen-copy.ts'

/** The idempotency store in memory. */
export function memoryIdempotencyStore(): IdempotencyStore {
  const records = new Map<string, IdempotencyRecord>()
  return {
    find: async (id) => records.get(id) ?? null,
    save: async ({ before, after }) => {
      if (records.get(after.id)?.version !== before?.version) return { kind: 'conflict' }
      records.set(after.id, frozenCopy(after))
      return { kind: 'saved' }
    },
  }
}
