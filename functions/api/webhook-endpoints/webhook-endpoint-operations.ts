import { invalid, ok, refused } from '#functions/middleware/answer.ts'
import { fittingPage } from '#functions/middleware/fitting-page.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { plainHttpErrors } from '#shared/contract/plain-http-errors.ts'
import { webhookEndpointToWire } from '#shared/contract/webhook-endpoint.ts'
import { camelKeys } from '#shared/contract/wire-case.ts'
import type { WebhookEndpoint } from '#shared/domain/webhook-endpoint.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'
import { changeRecord } from '#shared/use-cases/change-record.ts'
import { createRecord } from '#shared/use-cases/create-record.ts'

type Ports = Pick<ServicePorts, 'webhookEndpoints' | 'clock' | 'ids' | 'limits'>

const unknown = refused('not_found', 'There is no webhook endpoint with this id')

/** POST /webhook-endpoints */
export const createWebhookEndpointOperation: Operation<Ports, 'createWebhookEndpoint'> = async (
  ports,
  { caller, body },
) => {
  const insecure = ports.limits.allowPlainHttp === true ? [] : plainHttpErrors(body)
  if (insecure.length > 0) return invalid(insecure)
  const now = ports.clock.now()
  const endpoint = await createRecord<WebhookEndpoint>(ports.webhookEndpoints, {
    ...camelKeys(body),
    id: ports.ids.next('whep'),
    organizationId: caller.organizationId,
    createdAt: now,
    updatedAt: now,
  })
  return ok({ webhook_endpoint: webhookEndpointToWire(endpoint) })
}

/** GET /webhook-endpoints */
export const listWebhookEndpointsOperation: Operation<Ports, 'listWebhookEndpoints'> = async (
  ports,
  { caller, query },
) => {
  const found = await ports.webhookEndpoints.list(caller.organizationId, query)
  const { items, nextCursor } = fittingPage(found, webhookEndpointToWire)
  return ok({ webhook_endpoints: items, next_cursor: nextCursor })
}

/** GET /webhook-endpoints/{id} */
export const getWebhookEndpointOperation: Operation<Ports, 'getWebhookEndpoint'> = async (
  ports,
  { caller, params },
) => {
  const endpoint = await ports.webhookEndpoints.find(caller.organizationId, params.id)
  return endpoint === null ? unknown : ok({ webhook_endpoint: webhookEndpointToWire(endpoint) })
}

/** PATCH /webhook-endpoints/{id} */
export const updateWebhookEndpointOperation: Operation<Ports, 'updateWebhookEndpoint'> = async (
  ports,
  { caller, params, body },
) => {
  const insecure = ports.limits.allowPlainHttp === true ? [] : plainHttpErrors(body)
  if (insecure.length > 0) return invalid(insecure)
  const target = { organizationId: caller.organizationId, id: params.id }
  const result = await changeRecord<WebhookEndpoint>(ports.webhookEndpoints, target, (current) => ({
    kind: 'changed',
    record: { ...current, ...camelKeys(body), updatedAt: ports.clock.now() },
  }))
  if (result.kind !== 'changed') return unknown
  return ok({ webhook_endpoint: webhookEndpointToWire(result.record) })
}

/** DELETE /webhook-endpoints/{id} */
export const deleteWebhookEndpointOperation: Operation<Ports, 'deleteWebhookEndpoint'> = async (
  ports,
  { caller, params },
) => {
  const wasThere = await ports.webhookEndpoints.remove(caller.organizationId, params.id)
  return wasThere ? ok({ success: true }) : unknown
}
