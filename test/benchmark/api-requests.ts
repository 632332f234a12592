import { apiClient, type ApiInput, askFor } from '#test/support/api-client.ts'
import { FULL_ASSISTANT } from '#test/support/full-assistant.ts'
import type { OperationId } from '#test/support/generated/parley-client.ts'
import { IN_PROCESS, inProcessFetch } from '#test/support/in-process-api.ts'
import { keyedOperations, kindOf, seedRecords, type SeededIds } from '#test/support/seed-records.ts'

/** One request of an operation; the `count` keeps the ones of a run apart. */
type RequestOf<Id extends OperationId> = (ids: SeededIds, count: number) => ApiInput<Id>

const phoneNumber = (count: number) => `+1202555${2_001 + count}`
const id = (ids: SeededIds, kind: string) => ({ path: { id: ids[kind] ?? '' } })

type Requests = { readonly [Id in OperationId]?: RequestOf<Id> }

/** Operations that take a body; without one of them below, the type checker says so. */
type WithBody = {
  [Id in OperationId]: ApiInput<Id> extends { readonly body: unknown } ? Id : never
}[OperationId]

/** What the operations are asked; the others take nothing, or one of the seeded records. */
const REQUESTS: Requests & Required<Pick<Requests, WithBody>> = {
  createAssistant: () => ({ body: FULL_ASSISTANT }),
  updateAssistant: (ids, count) => ({ ...id(ids, 'assistants'), body: { name: `A ${count}` } }),
  createCall: (ids) => ({
    body: {
      phone_number: '+12025550100',
      assistant_id: ids['assistants'] ?? '',
      prompt_variables: { first_name: 'Grace' },
      metadata: { appointment: '4711' },
    },
  }),
  searchCalls: () => ({ body: { statuses: ['scheduled'] } }),
  exportCalls: () => ({ body: { statuses: ['scheduled'] } }),
  createCampaign: (ids) => ({
    body: {
      name: 'Recall',
      assistant_id: ids['assistants'] ?? '',
      contacts: [{ to_phone_number: '+12025550101', prompt_variables: {} }],
    },
  }),
  forecastCampaign: () => ({ body: { rows_by_zone: { 'America/New_York': 100 } } }),
  listCampaignRows: (ids) => ({
    ...id(ids, 'campaigns'),
    query: { page: 1, page_size: 100 },
  }),
  createPhoneNumber: (_ids, count) => ({ body: { phone_number: phoneNumber(count) } }),
  updatePhoneNumber: (ids, count) => ({
    ...id(ids, 'phone-numbers'),
    body: { label: `Desk ${count}` },
  }),
  updateCurrentUser: () => ({ body: { has_completed_onboarding: true } }),
  createApiKey: () => ({ body: { name: 'CI', scopes: ['calls:read'] } }),
  rotateApiKey: (ids) => ({ ...id(ids, 'api-keys'), body: {} }),
  createConnection: () => ({ body: { kind: 'chat', name: 'Chat', secrets: { token: 'xoxb' } } }),
  updateConnection: (ids, count) => ({ ...id(ids, 'connections'), body: { name: `C ${count}` } }),
  createWebhookEndpoint: () => ({
    body: { url: 'https://example.com/events', event_kinds: ['call.completed'] },
  }),
  updateWebhookEndpoint: (ids, count) => ({
    ...id(ids, 'webhook-endpoints'),
    body: { description: `E ${count}` },
  }),
  createSuppression: (_ids, count) => ({ body: { phone_number: phoneNumber(count) } }),
}

/** What leaves nothing to do for the next request of its kind. */
const ENDINGS = /^(cancel|delete|revoke|rotate|pause|resume)/

/** Sends `count` requests of one operation through a transport, each of which can succeed. */
export async function sendMany(
  operation: OperationId,
  count: number,
  stage: {
    readonly send: Parameters<typeof inProcessFetch>[0]
    readonly key: string
    readonly before: () => void
  },
): Promise<void> {
  const fetch = inProcessFetch(stage.send)
  const client = apiClient({ baseUrl: IN_PROCESS, key: stage.key, fetch })
  const needsFresh = ENDINGS.test(operation)
  let ids = await seedRecords(client, 1)
  for (let index = 0; index < count; index += 1) {
    if (needsFresh && index > 0) ids = await seedRecords(client, index + 1)
    if (operation === 'resumeCall') await client.pauseCall(id(ids, 'call'))
    stage.before()
    const answer = await askFor(client, operation, inputOf(operation, ids, index) as never)
    if (!answer.response.ok && answer.response.status !== 409) {
      throw new Error(`${operation}: ${JSON.stringify(answer.error)}`)
    }
  }
}

function inputOf(operation: OperationId, ids: SeededIds, count: number): unknown {
  const request = REQUESTS[operation]
  if (request !== undefined) return request(ids, count)
  const route = keyedOperations.find(([name]) => name === operation)?.[1]
  const [variable] = route?.path.match(/(?<=\{)\w+(?=\})/) ?? []
  if (route === undefined || variable === undefined) return {}
  return { path: { [variable]: ids[kindOf(route)] ?? '' } }
}
