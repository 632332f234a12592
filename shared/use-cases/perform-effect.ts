import type { StoredEffect } from '#shared/ports/call-store.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { sendAt } from './send-at.ts'

type WakePorts = Pick<ServicePorts, 'wakes' | 'queues' | 'scheduler' | 'clock'>

export type PerformPorts = WakePorts & Pick<ServicePorts, 'calls'>

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

/**
 * Has the dispatcher look at a scope at once, or at `at` (epoch ms). Of those to come only the next
 * one is on its way: when it has come, the dispatcher asks for the one after it.
 */
export async function wakeScope(ports: WakePorts, scope: string, at: number): Promise<void> {
  const now = ports.clock.now()
  if (at > now && !(await ports.wakes.claimAt(scope, at, now))) return
  await sendAt(ports, {
    name: `wake-${scope}`,
    at,
    queue: 'dispatch',
    message: { scope },
    group: scope,
  })
}
