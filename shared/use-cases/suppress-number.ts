import type { Suppression } from '#shared/domain/suppression.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { changeRecord } from './change-record.ts'
import { createRecord } from './create-record.ts'

/**
 * Puts a number on an organization's do-not-call list; one that stands there gets the new reason.
 * From now on no order rings it: they are refused when their turn comes.
 */
export async function suppressNumber(
  ports: Pick<ServicePorts, 'suppressions' | 'clock'>,
  input: {
    readonly organizationId: string
    /** E.164, checked by the caller. */
    readonly phoneNumber: string
    readonly reason: string | null
  },
): Promise<Suppression> {
  const { organizationId, phoneNumber: id, reason } = input
  const changed = await changeRecord<Suppression>(
    ports.suppressions,
    { organizationId, id },
    (current) => ({ kind: 'changed', record: { ...current, reason } }),
  )
  if (changed.kind === 'changed') return changed.record
  return createRecord<Suppression>(ports.suppressions, {
    id,
    organizationId,
    reason,
    createdAt: ports.clock.now(),
  })
}
