import { compose } from '#functions/compose.ts'
import { queueHandler, type QueueOperation } from '#functions/middleware/queue.ts'
import { deliverWebhook } from '#shared/use-cases/deliver-webhook.ts'

/** Makes one try of a webhook delivery. */
export const sendWebhook: QueueOperation<'webhook'> = {
  queue: 'webhook',
  run: (ports, message) => deliverWebhook(ports, message.deliveryId),
}

export const handler = queueHandler(sendWebhook, compose)
