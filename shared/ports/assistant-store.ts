import type { Assistant } from '#shared/domain/assistant.ts'

import type { Change, SaveResult } from './change.ts'

/** Assistants and every version of them that an order was planned with. */
export interface AssistantStore {
  /** Null also for another organization's id, and for deleted ones. */
  find(organizationId: string, assistantId: string): Promise<Assistant | null>
  /** An immutable version, for running calls; found also after a deletion. */
  findVersion(assistantId: string, version: number): Promise<Assistant | null>
  /** Stores the assistant and its version in one transaction. */
  save(change: Change<Assistant>): Promise<SaveResult>
  /** Undeleted ones, newest first. `cursor` is opaque. */
  list(
    organizationId: string,
    page: { limit: number; cursor: string | null },
  ): Promise<{ assistants: Assistant[]; nextCursor: string | null }>
}
