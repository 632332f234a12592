import type { RequestListener } from 'node:http'

import { concludeCall } from '#functions/after-call/conclude-call.ts'
import { sendWebhook } from '#functions/after-call/deliver-webhook.ts'
import { notify } from '#functions/after-call/notify.ts'
import { apiKeyOperations } from '#functions/api/api-keys/handler.ts'
import { assistantOperations } from '#functions/api/assistants/handler.ts'
import { authorizer } from '#functions/api/authorizer.ts'
import { callOperations } from '#functions/api/calls/handler.ts'
import { campaignOperations } from '#functions/api/campaigns/handler.ts'
import { connectionOperations } from '#functions/api/connections/handler.ts'
import { docsHandler } from '#functions/api/docs/handler.ts'
import { phoneNumberOperations } from '#functions/api/phone-numbers/handler.ts'
import { suppressionOperations } from '#functions/api/suppressions/handler.ts'
import { userOperations } from '#functions/api/users/handler.ts'
import { voiceOperations } from '#functions/api/voices/handler.ts'
import { webhookEndpointOperations } from '#functions/api/webhook-endpoints/handler.ts'
import { importRows } from '#functions/campaigns/work-on-campaign.ts'
import { carrierEventHandler } from '#functions/dialer/carrier-event.ts'
import { dispatch } from '#functions/dialer/dispatch.ts'
import { httpHandler } from '#functions/middleware/http.ts'
import { queueHandler, type QueueHandler } from '#functions/middleware/queue.ts'
import type { QueueName } from '#shared/ports/queues.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { gateway, type GatewayOptions } from './gateway.ts'

/** The handler of every group of operations, given its ports. */
export function apiHandlers(compose: () => ServicePorts): GatewayOptions['handlers'] {
  return {
    assistants: httpHandler(assistantOperations, compose),
    calls: httpHandler(callOperations, compose),
    campaigns: httpHandler(campaignOperations, compose),
    'api-keys': httpHandler(apiKeyOperations, compose),
    connections: httpHandler(connectionOperations, compose),
    suppressions: httpHandler(suppressionOperations, compose),
    users: httpHandler(userOperations, compose),
    voices: httpHandler(voiceOperations, compose),
    'webhook-endpoints': httpHandler(webhookEndpointOperations, compose),
    'carrier-events': carrierEventHandler(compose),
    docs: docsHandler(),
    'phone-numbers': httpHandler(phoneNumberOperations, compose),
  }
}

/** The product's HTTP API, served by the real handlers. */
export function localGateway(ports: ServicePorts): RequestListener {
  const compose = () => ports
  return gateway({
    authorizer: authorizer(compose),
    handlers: apiHandlers(compose),
    unrouted: httpHandler<ServicePorts, never>({}, compose),
    onFault: (error) => ports.logger.error('The gateway failed', { error }),
  })
}

/** The consumers of every queue but `call-start`, which voice runtimes pull themselves. */
export function localConsumers(ports: ServicePorts): Partial<Record<QueueName, QueueHandler>> {
  const compose = () => ports
  return {
    dispatch: queueHandler(dispatch, compose),
    import: queueHandler(importRows, compose),
    'post-call': queueHandler(concludeCall, compose),
    notify: queueHandler(notify, compose),
    webhook: queueHandler(sendWebhook, compose),
  }
}
