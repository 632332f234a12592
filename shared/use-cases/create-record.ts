import type { OwnedRecord, RecordStore } from '#shared/ports/record-store.ts'

/**
 * Stores a new record under a fresh id. A request that is repeated after a crash has the ids that it
 * had before: it finds what it created.
 */
export async function createRecord<T extends OwnedRecord>(
  store: Pick<RecordStore<T>, 'find' | 'save'>,
  record: Omit<T, 'version'>,
): Promise<T> {
  const after = { ...record, version: 1 } as T
  const saved = await store.save({ before: null, after })
  if (saved.kind === 'saved') return after
  const existing = await store.find(after.organizationId, after.id)
  if (existing === null) throw new Error(`A record with a fresh id existed: ${after.id}`)
  return existing
}
