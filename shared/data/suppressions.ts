import type { Suppression } from '#shared/domain/suppression.ts'
import type { RecordStore } from '#shared/ports/record-store.ts'
import type { Suppressions } from '#shared/ports/suppressions.ts'

/** The do-not-call list over any store of its records. */
export function suppressions(records: RecordStore<Suppression>): Suppressions {
  return {
    ...records,
    has: async (organizationId, e164) => (await records.find(organizationId, e164)) !== null,
  }
}
