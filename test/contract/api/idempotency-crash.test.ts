import { expect, test } from 'vitest'

import type { OperationId } from '#shared/contract/routes.ts'
import { apiClient, type ApiClient, type ApiInput, succeeded } from '#test/support/api-client.ts'
import { apiPorts, KEYS } from '#test/support/api-ports.ts'
import { inProcessApi } from '#test/support/in-process-api.ts'
import { keyedOperations, seedRecords, type SeededIds } from '#test/support/seed-records.ts'
import { watchWrites } from '#test/support/watch-writes.ts'

/** More than any operation writes. */
const WRITES_MAX = 20

/** A creation, and how many of its kind there are. */
interface Creation {
  readonly operation: OperationId
  readonly create: (client: ApiClient, ids: SeededIds, key: string) => Promise<{ status: number }>
  readonly count: (client: ApiClient) => Promise<number>
}

function creation<Id extends OperationId>(
  operation: Id,
  input: (ids: SeededIds) => ApiInput<Id>,
  count: (client: ApiClient) => Promise<{ readonly length: number }>,
): Creation {
  return {
    operation,
    create: (client, ids, key) =>
      client(operation, {
        ...input(ids),
        headers: { 'idempotency-key': key },
      } as ApiInput<Id>),
    count: async (client) => (await count(client)).length,
  }
}

const assistantsOf = async (client: ApiClient) =>
  succeeded(await client('listAssistants', {})).assistants
const url = 'https://example.com/events'

const CREATIONS: readonly Creation[] = [
  creation('createAssistant', () => ({ body: { name: 'B', prompt: 'P' } }), assistantsOf),
  creation('cloneAssistant', (ids) => ({ params: { id: ids['assistants'] ?? '' } }), assistantsOf),
  creation(
    'createCall',
    () => ({ body: { phone_number: '+12025550100', assistant: { prompt: 'P' } } }),
    async (client) => succeeded(await client('searchCalls', { body: {} })).calls,
  ),
  creation(
    'createCampaign',
    (ids) => ({
      body: {
        name: 'C',
        assistant_id: ids['assistants'] ?? '',
        contacts: [{ to_phone_number: '+12025550100', prompt_variables: {} }],
      },
    }),
    async (client) => succeeded(await client('listCampaigns', {})).campaigns,
  ),
  creation(
    'createPhoneNumber',
    () => ({ body: { phone_number: '+12025550177' } }),
    async (client) => succeeded(await client('listPhoneNumbers', {})).phone_numbers,
  ),
  creation(
    'createConnection',
    () => ({ body: { kind: 'chat', name: 'N', secrets: {} } }),
    async (client) => succeeded(await client('listConnections', {})).connections,
  ),
  creation(
    'createWebhookEndpoint',
    () => ({ body: { url, event_kinds: ['call.completed'] } }),
    async (client) => succeeded(await client('listWebhookEndpoints', {})).webhook_endpoints,
  ),
  creation(
    'createSuppression',
    () => ({ body: { phone_number: '+12025550178' } }),
    async (client) => succeeded(await client('listSuppressions', {})).suppressions,
  ),
]

test.each(CREATIONS)(
  '$operation: a crash at any of its writes, and sending it again, makes one',
  async ({ create, count }) => {
    for (let crashAt = 0; crashAt < WRITES_MAX; crashAt += 1) {
      let limit = -1
      const { ports, writes } = watchWrites(apiPorts(), (made) => {
        if (made === limit) throw new Error('The process died')
      })
      const client = apiClient(inProcessApi(ports), KEYS.live)
      const ids = await seedRecords(client, 1)
      const before = await count(client)
      limit = writes.length + crashAt + 1
      const first = await create(client, ids, 'k1')
      const hasCrashed = writes.length >= limit
      limit = -1
      const again = await create(client, ids, 'k1')
      expect([crashAt, again.status]).toEqual([crashAt, 200])
      expect([crashAt, await count(client)]).toEqual([crashAt, before + 1])
      if (hasCrashed) continue
      expect([first.status, crashAt > 0]).toEqual([200, true])
      return
    }
    throw new Error('It writes without end')
  },
)

test('every creation is tried', () => {
  const tried = CREATIONS.map(({ operation }) => operation)
  const others = keyedOperations
    .map(([id]) => id)
    .filter((id) => /^(create|clone)/.test(id) && !tried.includes(id))
  // An upload is an address that nobody used yet; a lost key is issued again under a new request.
  expect(others).toEqual(['createApiKey', 'createCampaignUpload'])
})
