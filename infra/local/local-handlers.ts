import type { RequestListener } from 'node:http'

import { concludeCall } from '#functions/after-call/conclude-call.ts'
import { sendWebhook } from '#functions/after-call/deliver-webhook.ts'
import { notify } from '#functions/after-call/notify.ts'
import { apiKeyHandler } from '#functions/api/api-keys/handler.ts'
import { assistantHandler } from '#functions/api/assistants/handler.ts'
import { authorizer } from '#functions/api/authorizer.ts'
import { callHandler } from '#functions/api/calls/handler.ts'
import { campaignHandler } from '#functions/api/campaigns/handler.ts'
import { connectionHandler } from '#functions/api/connections/handler.ts'
import { docsHandler } from '#functions/api/docs/handler.ts'
import { phoneNumberHandler } from '#functions/api/phone-numbers/handler.ts'
import { suppressionHandler } from '#functions/api/suppressions/handler.ts'
import { unroutedHandler } from '#functions/api/unrouted.ts'
import { userHandler } from '#functions/api/users/handler.ts'
import { voiceHandler } from '#functions/api/voices/handler.ts'
import { webhookEndpointHandler } from '#functions/api/webhook-endpoints/handler.ts'
import { importRows } from '#functions/campaigns/work-on-campaign.ts'
import { carrierEventHandler } from '#functions/dialer/carrier-event.ts'
import { dispatch } from '#functions/dialer/dispatch.ts'
import { inboundCallHandler } from '#functions/inbound/inbound-call.ts'
import { queueHandler, type QueueHandler } from '#functions/middleware/queue.ts'
import type { QueueName } from '#shared/ports/queues.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { gateway, type GatewayOptions } from './gateway.ts'

/** The handler of every group of operations, given its ports. */
export function apiHandlers(compose: () => ServicePorts): GatewayOptions['handlers'] {
  return {
    assistants: assistantHandler(compose),
    calls: callHandler(compose),
    campaigns: campaignHandler(compose),
    'api-keys': apiKeyHandler(compose),
    connections: connectionHandler(compose),
    suppressions: suppressionHandler(compose),
    users: userHandler(compose),
    voices: voiceHandler(compose),
    'webhook-endpoints': webhookEndpointHandler(compose),
    'carrier-events': carrierEventHandler(compose),
    'inbound-calls': inboundCallHandler(compose),
    docs: docsHandler(),
    'phone-numbers': phoneNumberHandler(compose),
  }
}

/** The product's HTTP API, served by the real handlers. */
export function localGateway(ports: ServicePorts): RequestListener {
  const compose = () => ports
  return gateway({
    authorizer: authorizer(compose),
    handlers: apiHandlers(compose),
    unrouted: unroutedHandler(compose),
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
