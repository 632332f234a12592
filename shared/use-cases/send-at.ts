import type { QueueMessages, QueueName } from '#shared/ports/queues.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

/** The longest delay that a queue itself can keep (SQS: 15 minutes). */
const QUEUE_DELAY_MAX_MS = 900_000

/**
 * Sends a message at a moment. Short delays are kept by the queue, to the second. Longer ones are
 * kept by the scheduler, once per minute and name: it may come up to a minute early, and whoever
 * receives it looks at the clock and asks again.
 */
export async function sendAt<Q extends QueueName>(
  ports: Pick<ServicePorts, 'queues' | 'scheduler' | 'clock'>,
  request: {
    readonly name: string
    readonly at: number
    readonly queue: Q
    readonly message: QueueMessages[Q]
    readonly group?: string
  },
): Promise<void> {
  const delayMs = request.at - ports.clock.now()
  const group = request.group === undefined ? {} : { group: request.group }
  if (delayMs <= 0) return ports.queues.send(request.queue, request.message, group)
  if (delayMs <= QUEUE_DELAY_MAX_MS) {
    const delaySecs = Math.ceil(delayMs / 1000)
    return ports.queues.send(request.queue, request.message, { ...group, delaySecs })
  }
  const minute = Math.floor(request.at / 60_000)
  return ports.scheduler.schedule({
    name: `${request.name}-${minute}`,
    at: minute * 60_000,
    queue: request.queue,
    message: request.message,
  })
}
