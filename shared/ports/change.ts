/**
 * A change to one record. `before` is the record as it was read (null: it must not exist yet);
 * the save fails when the stored version is no longer `before.version`.
 * The caller sets `after.version` to `before.version + 1` (1 for a new record).
 */
export interface Change<T> {
  readonly before: T | null
  readonly after: T
}

/** `conflict`: somebody else changed a record first, and nothing was saved. */
export type SaveResult = { readonly kind: 'saved' } | { readonly kind: 'conflict' }
