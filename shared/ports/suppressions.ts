import type { Suppression } from '#shared/domain/suppression.ts'

import type { RecordStore } from './record-store.ts'

/** The numbers that an organization must not call. */
export interface Suppressions extends RecordStore<Suppression> {
  has(organizationId: string, e164: string): Promise<boolean>
}
