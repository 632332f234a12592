import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openApiDocument } from '#shared/contract/openapi.ts'
import type { Route } from '#shared/contract/route.ts'
import type { OperationId } from '#shared/contract/routes.ts'
import { KEYS } from '#test/support/api-ports.ts'
import { type ApiAnswer, fieldErrorsOf, startApi } from '#test/support/api-server.ts'
import { keyedOperations, kindOf, seedRecords, type SeededIds } from '#test/support/seed-records.ts'

const server = await startApi()
afterAll(() => server.stop())
let ours: SeededIds
let theirs: SeededIds
/** All that they saw before anybody used their ids. */
let theirsBefore: string[]
beforeAll(async () => {
  ours = await seedRecords(server.client(KEYS.live), 1)
  theirs = await seedRecords(server.client(KEYS.other), 2)
  theirsBefore = await everything(KEYS.other, theirs)
})

const aboutOne = keyedOperations.filter(([, { path }]) => path.includes('{'))
const lists = keyedOperations.filter(
  ([, { method, path, query }]) => method === 'GET' && !path.includes('{') && query !== undefined,
)

/** The least that each operation takes; `{}` where nothing is needed. */
const QUERIES: { readonly [Id in OperationId]?: string } = {
  listCampaignRows: '?page=1&page_size=10',
}

async function ask(
  key: string,
  route: Route,
  asked: { readonly id?: string; readonly body?: unknown; readonly query?: string },
): Promise<ApiAnswer> {
  const path = route.path.replaceAll(/\{\w+\}/g, encodeURIComponent(asked.id ?? ''))
  return server.request(route.method, `/v1${path}${asked.query ?? ''}`, {
    key,
    ...(route.body !== null && { json: asked.body ?? {} }),
  })
}

/** All that an organization can see, as text. */
async function everything(key: string, ids: SeededIds): Promise<string[]> {
  const readings = keyedOperations.filter(([, { method }]) => method === 'GET')
  const answers = await Promise.all(
    readings.map(async ([id, route]) => {
      const own = ids[kindOf(route)]
      const answer = await ask(key, route, {
        query: QUERIES[id] ?? '',
        ...(own !== undefined && { id: own }),
      })
      expect([id, answer.status]).toEqual([id, 200])
      return `${id} ${textOf(answer)}`
    }),
  )
  return answers
}

describe('an id of another organization', () => {
  test.each(aboutOne)('%s: is not found, and nothing changes', async (id, route) => {
    const foreign = theirs[kindOf(route)]
    if (foreign === undefined) throw new Error(`seedRecords makes nothing for ${route.path}`)
    const answer = await ask(KEYS.live, route, { id: foreign, query: QUERIES[id] ?? '' })
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
    expect(await everything(KEYS.other, theirs)).toEqual(theirsBefore)
  })

  test.each(aboutOne)('%s: every other id of theirs is not found either', async (id, route) => {
    for (const foreign of Object.values(theirs)) {
      const answer = await ask(KEYS.live, route, { id: foreign, query: QUERIES[id] ?? '' })
      expect([id, answer.status]).toEqual([id, 404])
    }
  })

  test.each(lists)('%s: is in no list', async (_id, route) => {
    const answer = await ask(KEYS.live, route, {})
    const text = textOf(answer)
    expect(answer.status).toBe(200)
    for (const foreign of Object.values(theirs)) expect(text).not.toContain(`"${foreign}"`)
  })
})

describe('an id that is no id', () => {
  const LONG = 'x'.repeat(3_000)

  test.each(aboutOne)('%s: a path with a very long one is not found', async (id, route) => {
    const answer = await ask(KEYS.live, route, { id: LONG, query: QUERIES[id] ?? '' })
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
  })

  const call = { phone_number: '+12025550100' }
  const campaign = { name: 'C', contacts: [{ to_phone_number: '+12025550101' }] }
  const named = { name: 'A', prompt: 'P' }
  test.each<[id: OperationId, pointer: string, body: (id: string) => object]>([
    ['createCall', '/assistant_id', (id) => ({ ...call, assistant_id: id })],
    ['createCampaign', '/assistant_id', (id) => ({ ...campaign, assistant_id: id })],
    [
      'createCampaign',
      '/contacts_upload_id',
      (id) => ({ name: 'C', assistant_id: 'a', contacts_upload_id: id }),
    ],
    ['createPhoneNumber', '/inbound_assistant_id', (id) => ({ inbound_assistant_id: id })],
    ['updatePhoneNumber', '/inbound_assistant_id', (id) => ({ inbound_assistant_id: id })],
    ['searchCalls', '/assistant_ids/0', (id) => ({ assistant_ids: [id] })],
    ['exportCalls', '/campaign_ids/0', (id) => ({ campaign_ids: [id] })],
    [
      'createAssistant',
      '/scheduling/connection_id',
      (id) => ({ ...named, scheduling: { connection_id: id, event_type_id: '1' } }),
    ],
    [
      'createAssistant',
      '/crm_a/connection_id',
      (id) => ({ ...named, crm_a: { connection_id: id } }),
    ],
    [
      'createAssistant',
      '/chat/connection_id',
      (id) => ({ ...named, chat: { connection_id: id, channels: [], outcomes: [] } }),
    ],
    [
      'createAssistant',
      '/crm_b/connection_id',
      (id) => ({ ...named, crm_b: { connection_id: id, module: 'Leads', outcomes: [] } }),
    ],
  ])('%s %s: a very long one and an empty one are refused', async (operation, pointer, body) => {
    const route = routeOf(operation)
    const id = ours[kindOf(route)] ?? ''
    for (const [given, code] of [
      [LONG, 'too_long'],
      ['x'.repeat(65), 'too_long'],
      ['', 'too_short'],
    ] as const) {
      const answer = await ask(KEYS.live, route, { id, body: body(given) })
      expect(fieldErrorsOf(answer)).toEqual([[pointer, code]])
    }
  })

  test.each(lists)('%s: a cursor that no answer held is refused', async (_id, route) => {
    for (const cursor of ['x', 'asst_1', 'ü'.repeat(250), 'x'.repeat(1_024), '\u{10ffff}']) {
      const query = `?cursor=${encodeURIComponent(cursor)}`
      const answer = await ask(KEYS.live, route, { query, id: ours[kindOf(route)] ?? '' })
      expect(fieldErrorsOf(answer).map(([pointer]) => pointer)).toEqual(['/cursor'])
    }
  })
})

describe('an id of another organization inside a body', () => {
  const call = { phone_number: '+12025550100' }
  const campaign = { name: 'C', contacts: [{ to_phone_number: '+12025550101' }] }
  const chat = { channels: [], outcomes: [] }
  const named = { name: 'A', prompt: 'P' }
  /** By the field that holds it: a body that would be taken with an id of one's own. */
  const references: [id: OperationId, kind: string, body: (id: string) => object][] = [
    ['createCall', 'assistants', (id) => ({ ...call, assistant_id: id })],
    ['createCampaign', 'assistants', (id) => ({ ...campaign, assistant_id: id })],
    ['createPhoneNumber', 'assistants', (id) => ({ inbound_assistant_id: id })],
    ['updatePhoneNumber', 'assistants', (id) => ({ inbound_assistant_id: id })],
  ]
  test.each(references)('%s: %s are not known', async (operation, kind, body) => {
    const route = routeOf(operation)
    const before = await Promise.all([everything(KEYS.live, ours), everything(KEYS.other, theirs)])
    const id = ours[kindOf(route)] ?? ''
    const answer = await ask(KEYS.live, route, { id, body: body(theirs[kind] ?? '') })
    expect([404, 422]).toContain(answer.status)
    const after = await Promise.all([everything(KEYS.live, ours), everything(KEYS.other, theirs)])
    expect(after).toEqual(before)
  })

  /** Kept as they are given; whoever uses them looks among the connections of the organization. */
  test.each([
    ['scheduling', (id: string) => ({ connection_id: id, event_type_id: '1' })],
    ['crm_a', (id: string) => ({ connection_id: id })],
    ['chat', (id: string) => ({ ...chat, connection_id: id })],
    ['crm_b', (id: string) => ({ connection_id: id, module: 'Leads', outcomes: [] })],
  ])('createAssistant: %s.connection_id shows nothing of theirs', async (field, link) => {
    const body = { ...named, [field]: link(theirs['connections'] ?? '') }
    const answer = await ask(KEYS.live, routeOf('createAssistant'), { body })
    expect(textOf(answer)).not.toContain('Team chat')
    expect(await everything(KEYS.other, theirs)).toEqual(theirsBefore)
  })

  test.each([
    ['searchCalls', 'assistant_ids', 'assistants'],
    ['searchCalls', 'campaign_ids', 'campaigns'],
    ['exportCalls', 'assistant_ids', 'assistants'],
    ['exportCalls', 'campaign_ids', 'campaigns'],
  ] as const)('%s: %s find nothing', async (operation, field, kind) => {
    const body = { [field]: [theirs[kind]] }
    const missed = await ask(KEYS.live, routeOf(operation), { body })
    const nothing = await ask(KEYS.live, routeOf(operation), { body: { query: 'no such call' } })
    expect([missed.status, missed.body]).toEqual([200, nothing.body])
    for (const foreign of Object.values(theirs)) expect(textOf(missed)).not.toContain(foreign)
  })

  test('every field of a body that names a record is tried above', () => {
    const document = openApiDocument()
    const fields = new Set(
      [...JSON.stringify(bodiesOf(document)).matchAll(/"(\w+_ids?)":\{/g)].map(([, name]) => name),
    )
    const tried = ['assistant_id', 'assistant_ids', 'campaign_ids', 'inbound_assistant_id']
    const kept = ['connection_id']
    /** Found below the caller's own organization; another test of uploads covers it. */
    const uploads = ['contacts_upload_id']
    const ofOtherSystems = [
      'event_type_id',
      'outbound_trunk_id',
      'realtime_model_id',
      'realtime_voice_id',
      'router_model_id',
      'tts_dictionary_pronunciation_id',
    ]
    expect(fields).toEqual(new Set([...tried, ...kept, ...uploads, ...ofOtherSystems]))
  })
})

/** The schemas of bodies, with those that they refer to. */
function bodiesOf({ components }: ReturnType<typeof openApiDocument>): unknown {
  const found = new Set(Object.keys(components.schemas).filter((name) => name.endsWith('Body')))
  // A set goes on with what is added to it on the way.
  for (const name of found) {
    const references = JSON.stringify(components.schemas[name]).matchAll(/schemas\/(\w+)/g)
    for (const [, referred = ''] of references) found.add(referred)
  }
  return [...found].map((name) => components.schemas[name])
}

function textOf({ body }: ApiAnswer): string {
  return JSON.stringify(body)
}

function routeOf(id: OperationId): Route {
  const found = keyedOperations.find(([operation]) => operation === id)
  if (found === undefined) throw new Error(`There is no operation ${id}`)
  return found[1]
}
