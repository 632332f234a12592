import { expect, test } from 'vitest'

import { memoryStores } from '#shared/data/memory.ts'
import {
  apiClient,
  type ApiClient,
  type ApiInput,
  askFor,
  succeeded,
} from '#test/support/api-client.ts'
import { apiPorts, KEYS } from '#test/support/api-ports.ts'
import type { OperationId } from '#test/support/generated/parley-client.ts'
import { IN_PROCESS, inProcessApi, inProcessFetch } from '#test/support/in-process-api.ts'
import { keyedOperations, seedRecords, type SeededIds } from '#test/support/seed-records.ts'
import { watchWrites } from '#test/support/watch-writes.ts'

/** More than any operation writes. */
const WRITES_MAX = 20

/** A creation, and how many of its kind there are. */
interface Creation {
  readonly operation: OperationId
  readonly create: (client: ApiClient, ids: SeededIds, key: string) => Promise<number>
  readonly count: (client: ApiClient) => Promise<number>
}

function creation<Id extends OperationId>(
  operation: Id,
  input: (ids: SeededIds) => ApiInput<Id>,
  count: (client: ApiClient) => Promise<{ readonly length: number }>,
): Creation {
  return {
    operation,
    create: async (client, ids, key) => {
      const headers = { 'Idempotency-Key': key }
      return (await askFor(client, operation, { ...input(ids), headers })).response.status
    },
    count: async (client) => (await count(client)).length,
  }
}

const assistantsOf = async (client: ApiClient) =>
  (await succeeded(client.listAssistants({}))).assistants
const url = 'https://example.com/events'

const CREATIONS: readonly Creation[] = [
  creation('createAssistant', () => ({ body: { name: 'B', prompt: 'P' } }), assistantsOf),
  creation('cloneAssistant', (ids) => ({ path: { id: ids['assistants'] ?? '' } }), assistantsOf),
  creation(
    'createCall',
    () => ({ body: { phone_number: '+12025550100', assistant: { prompt: 'P' } } }),
    async (client) => (await succeeded(client.searchCalls({ body: {} }))).calls,
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
    async (client) => (await succeeded(client.listCampaigns({}))).campaigns,
  ),
  creation(
    'createPhoneNumber',
    () => ({ body: { phone_number: '+12025550177' } }),
    async (client) => (await succeeded(client.listPhoneNumbers({}))).phone_numbers,
  ),
  creation(
    'createConnection',
    () => ({ body: { kind: 'chat', name: 'N', secrets: {} } }),
    async (client) => (await succeeded(client.listConnections({}))).connections,
  ),
  creation(
    'createWebhookEndpoint',
    () => ({ body: { url, event_kinds: ['call.completed'] } }),
    async (client) => (await succeeded(client.listWebhookEndpoints({}))).webhook_endpoints,
  ),
  creation(
    'createSuppression',
    () => ({ body: { phone_number: '+12025550178' } }),
    async (client) => (await succeeded(client.listSuppressions({}))).suppressions,
  ),
]

test.each(CREATIONS)(
  '$operation: a crash at any of its writes, and sending it again, makes one',
  async ({ create, count }) => {
    for (let crashAt = 0; crashAt < WRITES_MAX; crashAt += 1) {
      let limit = -1
      const { ports, writes } = watchWrites(await apiPorts(memoryStores()), (made) => {
        if (made === limit) throw new Error('The process died')
      })
      const client = apiClient({
        baseUrl: IN_PROCESS,
        key: KEYS.live,
        fetch: inProcessFetch(inProcessApi(ports)),
      })
      const ids = await seedRecords(client, 1)
      const before = await count(client)
      limit = writes.length + crashAt + 1
      const first = await create(client, ids, 'k1')
      const hasCrashed = writes.length >= limit
      limit = -1
      const again = await create(client, ids, 'k1')
      expect([crashAt, again]).toEqual([crashAt, 200])
      expect([crashAt, await count(client)]).toEqual([crashAt, before + 1])
      if (hasCrashed) continue
      expect([first, crashAt > 0]).toEqual([200, true])
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
