import { compose } from '#functions/compose.ts'
import { httpHandler, type Operations } from '#functions/middleware/http.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import {
  createWebhookEndpointOperation,
  deleteWebhookEndpointOperation,
  getWebhookEndpointOperation,
  listWebhookEndpointsOperation,
  updateWebhookEndpointOperation,
} from './webhook-endpoint-operations.ts'

export const webhookEndpointOperations: Operations<ServicePorts, 'webhook-endpoints'> = {
  createWebhookEndpoint: createWebhookEndpointOperation,
  listWebhookEndpoints: listWebhookEndpointsOperation,
  getWebhookEndpoint: getWebhookEndpointOperation,
  updateWebhookEndpoint: updateWebhookEndpointOperation,
  deleteWebhookEndpoint: deleteWebhookEndpointOperation,
}

export const handler = httpHandler(webhookEndpointOperations, compose)
