import type { OwnedRecord, RecordStore } from '#shared/ports/record-store.ts'

import { frozenCopy } from './frozen-copy.ts'

/** Small records of organizations in memory. */
export function memoryRecordStore<T extends OwnedRecord>(): RecordStore<T> {
  /** By organization, then id. */
  const organizations = new Map<string, Map<string, T>>()
  const recordsOf = (organizationId: string) =>
    organizations.get(organizationId) ?? new Map<string, T>()
  return {
    find: async (organizationId, id) => recordsOf(organizationId).get(id) ?? null,
    list: async (organizationId, { limit, cursor }) => {
      const found = [...recordsOf(organizationId).values()]
        .filter(({ id }) => cursor === null || id < cursor)
        .sort((one, other) => (one.id > other.id ? -1 : 1))
      const records = found.slice(0, limit)
      return { records, nextCursor: found.length > limit ? (records.at(-1)?.id ?? null) : null }
    },
    save: async ({ before, after }) => {
      const records = recordsOf(after.organizationId)
      if (records.get(after.id)?.version !== before?.version) return { kind: 'conflict' }
      organizations.set(after.organizationId, records.set(after.id, frozenCopy(after)))
      return { kind: 'saved' }
    },
    remove: async (organizationId, id) => recordsOf(organizationId).delete(id),
  }
}
