import type { EventKind } from '#shared/domain/webhook-endpoint.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { announceEffectId } from './commit-call.ts'
import { findCall, type FoundCall } from './find-call.ts'

/**
 * Prepares the deliveries of an event: to the assistant's `webhook_url` (spec 6.1) and to every
 * webhook endpoint of the organization that asks for it. Their ids follow from order, event and
 * endpoint, so preparing them twice gives each once. The body is fixed here, once: every try
 * sends the same bytes.
 */
export async function announceCall(
  ports: Pick<
    ServicePorts,
    | 'calls'
    | 'campaigns'
    | 'assistants'
    | 'recordings'
    | 'webhooks'
    | 'webhookEndpoints'
    | 'queues'
    | 'clock'
  >,
  input: { readonly orderId: string; readonly event: 'call.completed' },
  /** Writes the event's JSON body: `{id, type, timestamp, data: {call}}` (decisions 4). */
  writeBody: (event: {
    readonly id: string
    readonly type: string
    readonly timestamp: number
    readonly call: FoundCall
  }) => string,
): Promise<void> {
  const order = await ports.calls.findOrder(input.orderId)
  if (order === null) return
  const call = await findCall(ports, { organizationId: order.organizationId, orderId: order.id })
  if (call === null) return
  for (const { url, endpointId } of await receiversOf(ports, call, input.event)) {
    const id = deliveryId(input.event, order.id, endpointId)
    const now = ports.clock.now()
    const body = writeBody({ id, type: input.event, timestamp: order.updatedAt, call })
    await ports.webhooks.save({
      before: null,
      after: {
        id,
        organizationId: order.organizationId,
        orderId: order.id,
        endpointId,
        url,
        body,
        status: 'pending',
        version: 1,
        tries: [],
        dueAt: now,
        createdAt: now,
      },
    })
    await ports.queues.send('webhook', { deliveryId: id })
  }
  await ports.calls.markDone({
    id: announceEffectId(input.event),
    orderId: order.id,
    effect: { kind: 'announce', event: input.event, orderId: order.id },
    createdAt: order.updatedAt,
  })
}

/** How many endpoints of an organization are told of one event. */
const ENDPOINTS_MAX = 1_000

interface Receiver {
  readonly url: string
  /** Null: the assistant's own `webhook_url`. */
  readonly endpointId: string | null
}

async function receiversOf(
  ports: Pick<ServicePorts, 'webhookEndpoints'>,
  call: FoundCall,
  event: EventKind,
): Promise<Receiver[]> {
  const { organizationId } = call.order
  const page = { limit: ENDPOINTS_MAX, cursor: null }
  const { records } = await ports.webhookEndpoints.list(organizationId, page)
  const endpoints = records.filter(
    ({ isEnabled, eventKinds }) => isEnabled && eventKinds.includes(event),
  )
  const { webhookUrl } = call.assistant
  return [
    ...(webhookUrl === null ? [] : [{ url: webhookUrl, endpointId: null }]),
    ...endpoints.map(({ url, id }) => ({ url, endpointId: id })),
  ]
}

function deliveryId(event: EventKind, orderId: string, endpointId: string | null): string {
  const id = `evt_${event.replaceAll('.', '_')}_${orderId}`
  return endpointId === null ? id : `${id}_${endpointId}`
}
