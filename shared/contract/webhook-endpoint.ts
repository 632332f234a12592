import * as z from 'zod'

import { toIso } from '#shared/domain/time.ts'
import { EVENT_KINDS, type WebhookEndpoint } from '#shared/domain/webhook-endpoint.ts'

import { timestampOut, webUrl } from './scalars.ts'
import { withoutServerSet } from './without-server-set.ts'

const SERVER_SET = ['id', 'organization_id', 'created_at', 'updated_at']

const fields = {
  url: webUrl,
  description: z.string().max(500).nullable(),
  event_kinds: z.array(z.enum(EVENT_KINDS)).min(1),
  is_enabled: z.boolean(),
}

/** Where an organization is told of events, as it is answered (decisions 4 and 5). */
export const webhookEndpointSchema = z.strictObject({
  ...fields,
  id: z.string(),
  organization_id: z.string(),
  created_at: timestampOut,
  updated_at: timestampOut,
})
export type WebhookEndpointWire = z.output<typeof webhookEndpointSchema>

export const createWebhookEndpointBody = withoutServerSet(
  SERVER_SET,
  z.strictObject({
    ...fields,
    description: fields.description.default(null),
    is_enabled: fields.is_enabled.default(true),
  }),
)

export const updateWebhookEndpointBody = withoutServerSet(
  SERVER_SET,
  z.strictObject(fields).partial(),
)

/** An endpoint as it is answered. */
export function webhookEndpointToWire(endpoint: WebhookEndpoint): WebhookEndpointWire {
  return {
    id: endpoint.id,
    organization_id: endpoint.organizationId,
    url: endpoint.url,
    description: endpoint.description,
    event_kinds: [...endpoint.eventKinds],
    is_enabled: endpoint.isEnabled,
    created_at: toIso(endpoint.createdAt),
    updated_at: toIso(endpoint.updatedAt),
  }
}
