import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { OwnedRecord, RecordStore } from '#shared/ports/record-store.ts'

/** Of many changes at once each round lets one through; the last one may have to wait for all. */
const CONFLICTS_MAX = 50

export type RecordChange<T, Refusal> =
  | { readonly kind: 'changed'; readonly record: T }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

export type ChangedRecord<T, Refusal> = RecordChange<T, Refusal> | { readonly kind: 'not_found' }

/**
 * Changes a record of an organization. When somebody else was faster, the change is made afresh on
 * what is stored now, so that changes of different fields at the same time all survive.
 */
export async function changeRecord<T extends OwnedRecord, Refusal = never>(
  store: Pick<RecordStore<T>, 'find' | 'save'>,
  target: { readonly organizationId: string; readonly id: string },
  change: (current: T) => RecordChange<T, Refusal>,
): Promise<ChangedRecord<T, Refusal>> {
  for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
    const before = await store.find(target.organizationId, target.id)
    if (before === null) return { kind: 'not_found' }
    const changed = change(before)
    if (changed.kind === 'refused') return changed
    const after = { ...changed.record, version: before.version + 1 }
    const saved = await store.save({ before, after })
    if (saved.kind === 'saved') return { kind: 'changed', record: after }
  }
  throw new AdapterError('A record was changed by others too often', { retryable: true })
}
