import {
  assistants,
  calls,
  campaigns,
  clock,
  compose,
  logger,
  queues,
  recordings,
  webhookEndpoints,
  webhooks,
} from '#functions/compose.ts'
import { queueHandler, type QueueOperation } from '#functions/middleware/queue.ts'
import { webhookBody } from '#shared/contract/webhook.ts'
import { announceCall } from '#shared/use-cases/announce-call.ts'

type Ports = Parameters<typeof announceCall>[0]

/** Prepares what an owner is told about a finished call. */
export const notify: QueueOperation<'notify', Ports> = {
  queue: 'notify',
  run: (ports, message) => announceCall(ports, message, webhookBody),
}

export const ports = compose({
  assistants,
  calls,
  campaigns,
  clock,
  logger,
  queues,
  recordings,
  webhookEndpoints,
  webhooks,
})
export const handler = queueHandler(notify, ports)
