import type { WebhookDelivery } from '#shared/domain/webhook-delivery.ts'
import { planWebhookTry } from '#shared/domain/webhook-schedule.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { sendAt } from './send-at.ts'

/** Decisions 4: a receiver has 15 s. */
const TIMEOUT_MS = 15_000
const ANSWER_BYTES_MAX = 65_536

/** A try that was begun belongs to one worker for this long; then another may begin it again. */
const TRY_LEASE_MS = 60_000

/**
 * Makes the next try of a delivery that is due. It is first claimed by moving its due time, so that
 * a message that came twice does not send twice.
 */
export async function deliverWebhook(
  ports: Pick<
    ServicePorts,
    | 'webhooks'
    | 'webhookEndpoints'
    | 'organizations'
    | 'webClient'
    | 'webhookSigner'
    | 'queues'
    | 'scheduler'
    | 'clock'
    | 'ids'
    | 'logger'
  >,
  deliveryId: string,
): Promise<void> {
  const delivery = await ports.webhooks.find(deliveryId)
  const now = ports.clock.now()
  if (delivery === null || delivery.status !== 'pending' || delivery.dueAt === null) return
  if (delivery.dueAt > now) return requestTry(ports, delivery)
  if (!(await isWanted(ports, delivery))) return giveUp(ports, delivery)
  const claimed = { ...delivery, version: delivery.version + 1, dueAt: now + TRY_LEASE_MS }
  const claim = await ports.webhooks.save({ before: delivery, after: claimed })
  if (claim.kind === 'conflict') return
  const answer = await post(ports, claimed)
  const planned = planWebhookTry(claimed, { at: ports.clock.now(), ...answer }, ports.ids.random())
  const saved = await ports.webhooks.save({ before: claimed, after: planned })
  if (saved.kind === 'conflict') return
  if (planned.status === 'disabled') return disableEndpoint(ports, planned)
  await requestTry(ports, planned)
}

/** Whether the endpoint is still there and enabled; of an assistant's own URL nobody knows. */
async function isWanted(
  ports: Pick<ServicePorts, 'webhookEndpoints'>,
  { organizationId, endpointId }: WebhookDelivery,
): Promise<boolean> {
  if (endpointId === null) return true
  return (await ports.webhookEndpoints.find(organizationId, endpointId))?.isEnabled === true
}

async function giveUp(
  ports: Pick<ServicePorts, 'webhooks'>,
  before: WebhookDelivery,
): Promise<void> {
  const after = { ...before, version: before.version + 1, status: 'disabled', dueAt: null } as const
  await ports.webhooks.save({ before, after })
}

/** A receiver that answered 410 is told of nothing more until its owner enables it (decisions 4). */
async function disableEndpoint(
  ports: Pick<ServicePorts, 'webhookEndpoints' | 'clock'>,
  { organizationId, endpointId }: WebhookDelivery,
): Promise<void> {
  if (endpointId === null) return
  const before = await ports.webhookEndpoints.find(organizationId, endpointId)
  if (before === null || !before.isEnabled) return
  const version = before.version + 1
  const after = { ...before, version, isEnabled: false, updatedAt: ports.clock.now() }
  // Whoever changed it meanwhile knows better.
  await ports.webhookEndpoints.save({ before, after })
}

/** Asks to be called again when the next try is due. */
async function requestTry(
  ports: Pick<ServicePorts, 'queues' | 'scheduler' | 'clock'>,
  delivery: WebhookDelivery,
): Promise<void> {
  if (delivery.dueAt === null) return
  await sendAt(ports, {
    name: `try-${delivery.id}`,
    at: delivery.dueAt,
    queue: 'webhook',
    message: { deliveryId: delivery.id },
  })
}

async function post(
  ports: Pick<ServicePorts, 'organizations' | 'webClient' | 'webhookSigner' | 'logger'>,
  delivery: WebhookDelivery,
): Promise<{ statusCode: number | null; retryAfterSecs: number | null }> {
  const organization = await ports.organizations.findOrganization(delivery.organizationId)
  const headers = ports.webhookSigner.sign({
    id: delivery.id,
    body: delivery.body,
    secrets: organization?.webhookSecrets ?? [],
  })
  try {
    const answer = await ports.webClient.post({
      url: delivery.url,
      headers: { 'content-type': 'application/json', 'user-agent': 'Parley/1', ...headers },
      body: delivery.body,
      timeoutMs: TIMEOUT_MS,
      maxAnswerBytes: ANSWER_BYTES_MAX,
    })
    const retryAfter = Number(answer.headers['retry-after'])
    return {
      statusCode: answer.statusCode,
      retryAfterSecs: Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null,
    }
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    ports.logger.info('A webhook could not be delivered', { deliveryId: delivery.id, error })
    return { statusCode: null, retryAfterSecs: error.retryAfterSecs }
  }
}
