import type { AssistantSettings } from '#shared/domain/assistant.ts'
import type { CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { SESSION_LEASE_MS } from '#shared/domain/lease.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { changeAttempt } from './change-attempt.ts'
import type { CommitPorts } from './commit-call.ts'
import { findAssistantOf } from './find-assistant-of.ts'

export type Adoption =
  | {
      readonly kind: 'adopted'
      readonly order: CallOrder
      readonly attempt: CallAttempt
      readonly assistant: AssistantSettings
      /** Every later report of this session carries it; a higher one makes them stale. */
      readonly fence: number
    }
  | { readonly kind: 'refused'; readonly reason: string }

/** Makes the process in which a call's media arrived the owner of the call. */
export async function adoptAttempt(
  ports: CommitPorts & Pick<ServicePorts, 'assistants'>,
  target: { readonly orderId: string; readonly number: number },
): Promise<Adoption> {
  const change = await changeAttempt(ports, target, () => ({
    type: 'adopted',
    leaseUntil: ports.clock.now() + SESSION_LEASE_MS,
  }))
  if (change.kind === 'ignored') return { kind: 'refused', reason: change.reason }
  return {
    kind: 'adopted',
    order: change.order,
    attempt: change.attempt,
    assistant: await findAssistantOf(ports, change.order),
    fence: change.attempt.fence,
  }
}
