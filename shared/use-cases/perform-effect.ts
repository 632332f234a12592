import type { StoredEffect } from '#shared/ports/call-store.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

/**
 * Turns a stored effect into a message. A start is done once it is sent: the attempt's lease remembers
 * it. A conclusion and an announcement stay stored until the work itself is done, so that a lost
 * message cannot lose them.
 */
export async function performEffect(
  ports: Pick<ServicePorts, 'calls' | 'queues'>,
  stored: StoredEffect,
): Promise<void> {
  const { effect } = stored
  switch (effect.kind) {
    case 'startAttempt':
      await ports.queues.send('call-start', { orderId: effect.orderId, number: effect.number })
      return ports.calls.markDone(stored)
    case 'concludeAttempt':
      return ports.queues.send('post-call', { orderId: effect.orderId, number: effect.number })
    case 'announce':
      return ports.queues.send('notify', { orderId: effect.orderId, event: effect.event })
  }
}
