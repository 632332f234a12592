import type { CarrierEvent } from '#shared/domain/call-attempt/carrier-event.ts'
import { REPORT_GRACE_MS, SESSION_LEASE_MS } from '#shared/domain/lease.ts'

import { changeAttempt, type ChangeResult } from './change-attempt.ts'
import type { CommitPorts } from './commit-call.ts'

/** Moves an attempt by what its carrier reports; late, doubled and reordered reports are ignored. */
export async function applyCarrierEvent(
  ports: CommitPorts,
  report: CarrierEvent,
): Promise<ChangeResult> {
  return changeAttempt(ports, report, (attempt) => {
    if (attempt.id !== report.attemptId) return null
    const now = ports.clock.now()
    switch (report.event.type) {
      case 'ringing':
        return { type: 'ringing', at: report.at }
      case 'answered':
        return { type: 'answered', at: report.at, leaseUntil: now + SESSION_LEASE_MS }
      case 'ended':
        return {
          type: 'carrierEnded',
          at: report.at,
          cause: report.event.cause,
          graceUntil: now + REPORT_GRACE_MS,
        }
    }
  })
}
