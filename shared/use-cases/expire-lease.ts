import { UNCLAIMED_CAP_MS, UNCLAIMED_LEASE_MS, PERMIT_UNCLAIMED_MS } from '#shared/domain/lease.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { changeAttempt } from './change-attempt.ts'
import type { PermitPorts } from './release-permits.ts'

export type ExpirePorts = PermitPorts & Pick<ServicePorts, 'telephony'>

/**
 * Looks after an attempt whose holder is believed dead. Not claimed yet: it is offered again, for a
 * while. Claimed: the carrier is asked; a call that is up without a session is hung up. It ends here
 * in either case, and the same attempt is never dialled again: the retry policy decides what follows.
 */
export async function expireLease(
  ports: ExpirePorts,
  target: { readonly orderId: string; readonly number: number },
): Promise<void> {
  const attempt = await ports.calls.findAttempt(target.orderId, target.number)
  const now = ports.clock.now()
  if (attempt === null || attempt.leaseUntil === null || attempt.leaseUntil > now) return
  if (attempt.dialStartedAt === null && now - attempt.admittedAt < UNCLAIMED_CAP_MS) {
    const leaseUntil = now + UNCLAIMED_LEASE_MS
    await Promise.all(
      attempt.permits.map((permit) =>
        ports.permits.extend(permit, attempt.id, now + PERMIT_UNCLAIMED_MS),
      ),
    )
    await ports.calls.extendLease(target.orderId, target.number, attempt.fence, leaseUntil)
    return ports.queues.send('call-start', target)
  }
  if (attempt.dialStartedAt !== null) {
    const found =
      attempt.carrierCallId === null
        ? await ports.telephony.find(attempt.id)
        : { carrierCallId: attempt.carrierCallId, isLive: true }
    if (found?.isLive === true) await ports.telephony.hangUp(found.carrierCallId)
  }
  await changeAttempt(ports, target, (current) =>
    current.leaseUntil === null || current.leaseUntil > ports.clock.now()
      ? null
      : { type: 'leaseExpired' },
  )
}
