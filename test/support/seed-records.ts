import type { Route } from '#shared/contract/route.ts'
import { routes } from '#shared/contract/routes.ts'

import { type ApiClient, succeeded } from './api-client.ts'
import type { OperationId } from './generated/parley-client.ts'

/** What names one of the records below the first part of a path, such as `assistants`. */
export type SeededIds = Readonly<Record<string, string>>

/**
 * One record of every kind, made through the API: by the first part of their paths, what stands for
 * their variable. `tag`, below 5,000, keeps the phone numbers of several seedings apart.
 */
export async function seedRecords(api: ApiClient, tag: number): Promise<SeededIds> {
  const phoneNumber = `+1202555${4_000 + tag}`
  const { assistant } = await succeeded(
    api.createAssistant({ body: { name: 'Ava', prompt: 'Greet {{first_name}}.' } }),
  )
  const { call } = await succeeded(
    api.createCall({
      body: {
        phone_number: '+12025550100',
        assistant_id: assistant.id,
        scheduled_at: '2030-01-01T00:00:00Z',
      },
    }),
  )
  const { campaign } = await succeeded(
    api.createCampaign({
      body: {
        name: 'Recall',
        assistant_id: assistant.id,
        contacts: [{ to_phone_number: '+12025550101', prompt_variables: { first_name: 'Bo' } }],
        scheduled_at: '2030-01-01T00:00:00Z',
      },
    }),
  )
  const number = await succeeded(api.createPhoneNumber({ body: { phone_number: phoneNumber } }))
  const { api_key: key } = await succeeded(
    api.createApiKey({ body: { name: 'CI', scopes: ['calls:read'] } }),
  )
  const { connection } = await succeeded(
    api.createConnection({
      body: { kind: 'chat', name: 'Team chat', secrets: { token: 'xoxb-secret' } },
    }),
  )
  const endpoint = await succeeded(
    api.createWebhookEndpoint({
      body: { url: 'https://example.com/events', event_kinds: ['call.completed'] },
    }),
  )
  const suppressed = await succeeded(api.createSuppression({ body: { phone_number: phoneNumber } }))
  return {
    assistants: assistant.id,
    call: call.id,
    campaigns: campaign.id,
    'phone-numbers': number.phone_number.id,
    'api-keys': key.id,
    connections: connection.id,
    'webhook-endpoints': endpoint.webhook_endpoint.id,
    suppressions: suppressed.suppression.phone_number,
  }
}

/** The first part of an operation's path: the kind of record that it is about. */
export function kindOf(route: Pick<Route, 'path'>): string {
  return route.path.split('/')[1] ?? ''
}

/** Every operation that takes a key. */
export const keyedOperations = (Object.entries(routes) as [OperationId, Route][]).filter(
  ([, { auth }]) => auth === 'key',
)
