import { compose } from '#functions/compose.ts'
import { queueHandler, type QueueOperation } from '#functions/middleware/queue.ts'
import { webhookBody } from '#shared/contract/webhook.ts'
import { announceCall } from '#shared/use-cases/announce-call.ts'

/** Prepares what an owner is told about a finished call. */
export const notify: QueueOperation<'notify'> = {
  queue: 'notify',
  run: (ports, message) => announceCall(ports, message, webhookBody),
}

export const handler = queueHandler(notify, compose)
