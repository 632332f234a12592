import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { type ApiClient, type ApiInput, askFor, succeeded } from '#test/support/api-client.ts'
import { KEYS } from '#test/support/api-ports.ts'
import { type Api, type JsonApi, startApi } from '#test/support/api-server.ts'
import type { OperationId } from '#test/support/generated/parley-client.ts'
import { seedRecords } from '#test/support/seed-records.ts'

/** A service with one record of each kind. */
async function seeded() {
  const api = await startApi()
  onTestFinished(() => api.stop())
  const client = api.client()
  const ids = await seedRecords(client, 1)
  return { client, id: (kind: string) => ids[kind] ?? '' }
}
type Stage = Awaited<ReturnType<typeof seeded>>

/** What an endpoint of the specification is asked, and the names at the top of its answer. */
interface Endpoint {
  readonly clause: string
  readonly ask: (stage: Stage) => Promise<unknown>
  readonly names: readonly string[]
}

const endpoint =
  (clause: string, names: string) =>
  <Id extends OperationId>(operation: Id, input: (stage: Stage) => ApiInput<Id>): Endpoint => ({
    clause,
    names: names.split(' '),
    ask: (stage) => succeeded(askFor(stage.client, operation, input(stage))),
  })

const one = (kind: string) => (stage: Stage) => ({ path: { id: stage.id(kind) } })
const nothing = () => ({})

const ENDPOINTS: readonly Endpoint[] = [
  endpoint('4.1 POST /assistants', 'assistant')('createAssistant', () => ({
    body: { name: 'A', prompt: 'P' },
  })),
  endpoint('4.1 GET /assistants', 'assistants next_cursor')('listAssistants', nothing),
  endpoint('4.1 PATCH /assistants/{id}', 'assistant')('updateAssistant', (stage) => ({
    ...one('assistants')(stage),
    body: { name: 'B' },
  })),
  endpoint('4.1 POST /assistants/{id}/clone', 'assistant')('cloneAssistant', one('assistants')),
  endpoint('4.2 POST /campaigns', 'campaign')('createCampaign', (stage) => ({
    body: {
      name: 'C',
      assistant_id: stage.id('assistants'),
      contacts: [{ to_phone_number: '+12025550100', prompt_variables: {} }],
    },
  })),
  endpoint('4.2 GET /campaigns', 'campaigns next_cursor')('listCampaigns', nothing),
  endpoint('4.2 GET /campaigns/{id}', 'campaign')('getCampaign', one('campaigns')),
  endpoint('4.2 DELETE /campaigns/{id}', 'success')('deleteCampaign', one('campaigns')),
  endpoint('4.2 POST /campaigns/{id}/cancel', 'success')('cancelCampaign', one('campaigns')),
  endpoint('4.2 GET /campaigns/{id}/rows', 'page page_size rows')('listCampaignRows', (stage) => ({
    ...one('campaigns')(stage),
    query: { page: 1, page_size: 10 },
  })),
  endpoint('4.3 GET /phone-numbers', 'next_cursor phone_numbers')('listPhoneNumbers', nothing),
  endpoint('4.3 PATCH /phone-numbers/{id}', 'phone_number')('updatePhoneNumber', (stage) => ({
    ...one('phone-numbers')(stage),
    body: { label: 'Desk' },
  })),
  endpoint('4.3 DELETE /phone-numbers/{id}', 'success')('deletePhoneNumber', one('phone-numbers')),
  endpoint('4.4 POST /call', 'call')('createCall', () => ({
    body: { phone_number: '+12025550100', assistant: { prompt: 'P' } },
  })),
  endpoint('4.4 GET /call/{id}', 'call')('getCall', one('call')),
  endpoint('4.4 POST /call/search', 'calls next_cursor total_count')('searchCalls', () => ({
    body: {},
  })),
  endpoint('4.4 POST /call/export', 'csv filename next_offset')('exportCalls', () => ({
    body: {},
  })),
  endpoint('4.4 POST /call/{id}/pause', 'success')('pauseCall', one('call')),
  endpoint('4.4 POST /call/{id}/cancel', 'success')('cancelCall', one('call')),
  endpoint('4.4 GET /calls/phone-history', 'next_cursor phone_history')('getPhoneHistory', nothing),
  endpoint('4.4 GET /voices', 'voices')('listVoices', nothing),
  endpoint('4.5 GET /users/me', 'user')('getCurrentUser', nothing),
  endpoint('4.5 PATCH /users/me', 'user')('updateCurrentUser', () => ({
    body: { has_completed_onboarding: true },
  })),
]

test.each(ENDPOINTS)('spec $clause answers 200 with $names', async ({ ask, names }) => {
  const body = (await ask(await seeded())) as object
  expect(Object.keys(body).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(names)
})

test('spec 4.1 GET /assistants/{id} answers the assistant itself, not wrapped', async () => {
  const { client, id } = await seeded()
  const { assistants } = await succeeded(client.listAssistants({}))
  const body = await succeeded(client.getAssistant({ path: { id: id('assistants') } }))
  expect(body).toEqual(assistants[0])
})

test('spec 4.1 DELETE /assistants/{id} answers 200 with success', async () => {
  const { client, id } = await seeded()
  const path = { id: id('assistants') }
  const clone = (await succeeded(client.cloneAssistant({ path }))).assistant
  const body = await succeeded(client.deleteAssistant({ path: { id: clone.id } }))
  expect(body).toEqual({ success: true })
})

test('spec 4.4 POST /call/{id}/resume answers 200 with success for a paused call', async () => {
  const { client, id } = await seeded()
  const path = { id: id('call') }
  await client.pauseCall({ path })
  expect(await succeeded(client.resumeCall({ path }))).toEqual({ success: true })
})

describe('PATCH /assistants/{id}', () => {
  const before = {
    name: 'B',
    prompt: 'P',
    first_sentence_delay_ms: 7,
    faq_items: [{ question: 'Q1', answer: 'A1' }],
  }
  const change = async (fields: ApiInput<'updateAssistant'>['body']) => {
    const { client } = await seeded()
    const { assistant } = await succeeded(client.createAssistant({ body: before }))
    const path = { id: assistant.id }
    const patched = await succeeded(client.updateAssistant({ path, body: fields ?? {} }))
    return { before: assistant, after: patched.assistant }
  }

  test('spec 4.1 rule 1: a field that is not in the body is not touched', async () => {
    const assistants = await change({ prompt: 'Q' })
    expect(assistants.after).toEqual({ ...assistants.before, prompt: 'Q' })
  })

  test('spec 4.1 rule 2: faq_items replaces all items', async () => {
    const { after } = await change({ faq_items: [{ question: 'Q2', answer: 'A2' }] })
    expect(after.faq_items).toMatchObject([{ question: 'Q2', answer: 'A2' }])
    expect((await change({ faq_items: [] })).after.faq_items).toEqual([])
  })
})

describe('the body of POST /call', () => {
  let server: Api
  beforeAll(async () => void (server = await startApi()))
  afterAll(() => server.stop())
  const api: JsonApi = (...asked) => server.json(KEYS.live)(...asked)
  const call = { phone_number: '+12025550100', assistant: { prompt: 'P' } }
  const place = (fields: object) => api('POST', '/call', { ...call, ...fields })

  const ROWS: readonly [
    field: string,
    taken: readonly object[],
    // oxlint-disable-next-line typescript/no-explicit-any -- as it came over the wire
    shown: (call: any) => unknown,
    refused: readonly (readonly [fields: object, at: string])[],
  ][] = [
    [
      'phone_number',
      [{ phone_number: '+442079460123' }],
      ({ to_phone_number: to }) => to === '+442079460123',
      [
        [{ phone_number: '020 7946 0123' }, '/phone_number'],
        [{ phone_number: undefined }, '/phone_number'],
        [{ phone_number: null }, '/phone_number'],
      ],
    ],
    [
      'assistant',
      [
        { assistant: { prompt: 'Q', voice: { id: 'v', provider: 'voice_provider_2' } } },
        { assistant: { prompt: 'Q', first_sentence_mode: 'none', background_sound: null } },
      ],
      ({ assistant }) => assistant.prompt === 'Q',
      [
        [{ assistant: {} }, '/assistant/prompt'],
        [{ assistant: { prompt: 'Q', name: 'N' } }, '/assistant/name'],
        [
          { assistant: { prompt: 'Q', voice: { id: 'v', provider: 'voice_provider_3' } } },
          '/assistant/voice/provider',
        ],
        [
          { assistant: { prompt: 'Q', llm_model: { type: 'custom' } } },
          '/assistant/llm_model/type',
        ],
      ],
    ],
    [
      'concurrency',
      [{ concurrency: { key: 'k', max: 1 } }, { concurrency: { key: 'x'.repeat(128), max: 99 } }],
      ({ status }) => status === 'scheduled',
      [
        [{ concurrency: { key: '', max: 1 } }, '/concurrency/key'],
        [{ concurrency: { key: 'x'.repeat(129), max: 1 } }, '/concurrency/key'],
        [{ concurrency: { key: 'k' } }, '/concurrency/max'],
      ],
    ],
    [
      'force_now',
      [{ force_now: true }],
      // Without it this call waits until ten in the morning in New York.
      ({ status }) => status === 'queued_for_calling',
      [
        [{ force_now: 'yes' }, '/force_now'],
        [{ force_now: true, scheduled_at: '2030-01-01T00:00:00Z' }, '/force_now'],
      ],
    ],
    [
      'from_phone_number',
      [{ from_phone_number: '+12025550150' }],
      ({ from_phone_number: from }) => from === '+12025550150',
      [[{ from_phone_number: '150' }, '/from_phone_number']],
    ],
    [
      'metadata',
      [{ metadata: { order: '7', 'a.b': '', ü: 'ö' } }],
      ({ metadata }) => metadata['order'] === '7' && metadata['ü'] === 'ö',
      [
        [{ metadata: { n: 1 } }, '/metadata/n'],
        [{ metadata: [] }, '/metadata'],
      ],
    ],
    [
      'prompt_variables',
      [{ prompt_variables: { first_name: 'Bo' } }],
      ({ prompt_variables: variables, contact }) =>
        variables['first_name'] === 'Bo' && contact.first_name === 'Bo',
      [[{ prompt_variables: { n: null } }, '/prompt_variables/n']],
    ],
    [
      'scheduled_at',
      [{ scheduled_at: '2030-01-01T02:00:00+02:00' }, { scheduled_at: '2030-01-01T00:00:00.000Z' }],
      ({ scheduled_at: at, status }) => at === '2030-01-01T00:00:00.000Z' && status === 'scheduled',
      [
        [{ scheduled_at: '2030-01-01T00:00:00' }, '/scheduled_at'],
        [{ scheduled_at: 1 }, '/scheduled_at'],
      ],
    ],
  ]
  test.each(ROWS)('spec 4.4 %s: is taken and shown', async (_field, taken, shown) => {
    for (const fields of taken) {
      const { status, body } = await place(fields)
      expect([fields, status]).toEqual([fields, 200])
      expect([fields, shown(body.call)]).toEqual([fields, true])
    }
  })

  test.each(ROWS)(
    'spec 4.4 %s: what it is not is refused',
    async (_field, _taken, _shown, refused) => {
      for (const [fields, at] of refused) {
        const { status, body } = await place(fields)
        expect([fields, status, body.errors[0].pointer]).toEqual([fields, 422, at])
      }
    },
  )

  test('spec 4.4 scheduled_at: null starts at once', async () => {
    const { call: placed } = (await place({ scheduled_at: null, force_now: true })).body
    expect(placed).toMatchObject({ scheduled_at: null, status: 'queued_for_calling' })
  })

  test('spec 4.4 assistant_id: wins over an assistant beside it; one of them is needed', async () => {
    const created = await api('POST', '/assistants', { name: 'A', prompt: 'Stored' })
    const { id } = created.body.assistant
    const placed = await place({ assistant_id: id })
    expect(placed.body.call.assistant).toEqual(created.body.assistant)
    const unknown = await place({ assistant_id: 'asst_none' })
    expect(unknown.body.errors[0].pointer).toBe('/assistant_id')
    const neither = await place({ assistant: undefined })
    expect(neither.body.errors[0].pointer).toBe('/assistant_id')
  })
})

describe('authentication', () => {
  let server: Api
  beforeAll(async () => void (server = await startApi()))
  afterAll(() => server.stop())
  const ask = async (client: ApiClient, id: string) =>
    (await client.getCall({ path: { id } })).response.status

  test.each<[name: string, authorization: string | null, status: number]>([
    ['Bearer and a key', `Bearer ${KEYS.live}`, 200],
    ['nothing', null, 401],
    ['a key alone', KEYS.live, 401],
    ['another scheme', `Basic ${KEYS.live}`, 401],
    ['Bearer and no key', 'Bearer ', 401],
  ])('spec 5.1 Authorization with %s', async (_name, authorization, status) => {
    const headers: Record<string, string> = authorization === null ? {} : { authorization }
    const answer = await server.request('GET', '/v1/users/me', { key: null, headers })
    expect(answer.status).toBe(status)
  })

  test('spec 5.2 records belong to the organization of the key', async () => {
    const owner = server.client()
    const body = { phone_number: '+12025550100', assistant: { prompt: 'P' } }
    const { call } = await succeeded(owner.createCall({ body }))
    const { id, organization_id: organizationId } = call
    expect(organizationId).toBe('org_1')
    expect(await ask(owner, id)).toBe(200)
    expect(await ask(server.client(KEYS.other), id)).toBe(404)
  })

  test('spec 5.3 a key has scopes and an expiry', async () => {
    expect(await ask(server.client(KEYS.expired), 'call_x')).toBe(401)
    const reader = server.client(KEYS.readOnly)
    expect(await ask(reader, 'call_x')).toBe(404)
    expect((await reader.pauseCall({ path: { id: 'call_x' } })).response.status).toBe(403)
  })
})
