import {
  clock,
  compose,
  ids,
  logger,
  organizations,
  queues,
  scheduler,
  webClient,
  webhooks,
  webhookSigner,
  webhookEndpoints,
} from '#functions/compose.ts'
import { queueHandler, type QueueOperation } from '#functions/middleware/queue.ts'
import { deliverWebhook } from '#shared/use-cases/deliver-webhook.ts'

type Ports = Parameters<typeof deliverWebhook>[0]

/** Makes one try of a webhook delivery. */
export const sendWebhook: QueueOperation<'webhook', Ports> = {
  queue: 'webhook',
  run: (ports, message) => deliverWebhook(ports, message.deliveryId),
}

export const ports = compose({
  clock,
  ids,
  logger,
  organizations,
  queues,
  scheduler,
  webClient,
  webhooks,
  webhookSigner,
  webhookEndpoints,
})
export const handler = queueHandler(sendWebhook, ports)
