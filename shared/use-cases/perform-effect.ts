import type { StoredEffect } from '#shared/ports/call-store.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { sendAt } from './send-at.ts'

export type PerformPorts = Pick<ServicePorts, 'calls' | 'queues' | 'scheduler' | 'clock'>

/**
 * Turns a stored effect into a message. A wake-up and a start are done once they are sent: the due
 * index and the attempt's lease remember them. A conclusion and an announcement stay stored until
 * the work itself is done, so that a lost message cannot lose them.
 */
export async function performEffect(ports: PerformPorts, stored: StoredEffect): Promise<void> {
  const { effect } = stored
  switch (effect.kind) {
    case 'wakeScope':
      await wakeScope(ports, effect.scope, effect.at)
      return ports.calls.markDone(stored)
    case 'startAttempt':
      await ports.queues.send('call-start', { orderId: effect.orderId, number: effect.number })
      return ports.calls.markDone(stored)
    case 'concludeAttempt':
      return ports.queues.send('post-call', { orderId: effect.orderId, number: effect.number })
    case 'announce':
      return ports.queues.send('notify', { orderId: effect.orderId, event: effect.event })
  }
}

/** Has the dispatcher look at a scope at `at`, or at once. */
export async function wakeScope(
  ports: Pick<ServicePorts, 'queues' | 'scheduler' | 'clock'>,
  scope: string,
  at: number,
): Promise<void> {
  await sendAt(ports, {
    name: `wake-${scope}`,
    at,
    queue: 'dispatch',
    message: { scope },
    group: scope,
  })
}
