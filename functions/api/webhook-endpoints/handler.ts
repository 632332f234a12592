import { compose, http, idempotency, webhookEndpoints } from '#functions/compose.ts'
import { httpHandler } from '#functions/middleware/http.ts'
import { webhookEndpointRoutes } from '#shared/contract/webhook-endpoint-routes.ts'

import {
  createWebhookEndpointOperation,
  deleteWebhookEndpointOperation,
  getWebhookEndpointOperation,
  listWebhookEndpointsOperation,
  updateWebhookEndpointOperation,
} from './webhook-endpoint-operations.ts'

export const webhookEndpointHandler = httpHandler(webhookEndpointRoutes, {
  createWebhookEndpoint: createWebhookEndpointOperation,
  listWebhookEndpoints: listWebhookEndpointsOperation,
  getWebhookEndpoint: getWebhookEndpointOperation,
  updateWebhookEndpoint: updateWebhookEndpointOperation,
  deleteWebhookEndpoint: deleteWebhookEndpointOperation,
})

export const ports = compose({ ...http, idempotency, webhookEndpoints })
export const handler = webhookEndpointHandler(ports)
