import type { Change, SaveResult } from './change.ts'

/** A small record of an organization. */
export interface OwnedRecord {
  readonly id: string
  readonly organizationId: string
  /** Optimistic lock: every save raises it by one. */
  readonly version: number
}

export interface RecordPage<T> {
  readonly records: T[]
  /** Opaque; null at the end. */
  readonly nextCursor: string | null
}

/** The records of one kind; each is found by its own organization only. */
export interface RecordStore<T extends OwnedRecord> {
  find(organizationId: string, id: string): Promise<T | null>
  /** In descending order of ids, which is newest first where ids are ours. */
  list(
    organizationId: string,
    page: { readonly limit: number; readonly cursor: string | null },
  ): Promise<RecordPage<T>>
  save(change: Change<T>): Promise<SaveResult>
  /** False when there was none. */
  remove(organizationId: string, id: string): Promise<boolean>
}
