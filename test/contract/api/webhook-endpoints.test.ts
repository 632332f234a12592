import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { webhookEndpointSchema } from '#shared/contract/webhook-endpoint.ts'
import { EVENT_KINDS } from '#shared/domain/webhook-endpoint.ts'
import { KEYS } from '#test/support/api-ports.ts'
import { type Api, fieldErrorsOf, startApi } from '#test/support/api-server.ts'

let api: Api
beforeEach(async () => void (api = await startApi()))
afterEach(() => api.stop())

const FIELDS = { url: 'https://example.com/hook', event_kinds: ['call.completed'] }
const BASE = '/v1/webhook-endpoints'

const post = (fields: object = {}) => api.request('POST', BASE, { json: { ...FIELDS, ...fields } })
const create = async (fields: object = {}) => (await post(fields)).body.webhook_endpoint
const patch = (id: string, json: unknown) => api.request('PATCH', `${BASE}/${id}`, { json })
const read = async (id: string) => (await api.request('GET', `${BASE}/${id}`)).body

describe('POST /webhook-endpoints', () => {
  test('stores every field, and fills in the others', async () => {
    const { status, body } = await post()
    const expected = {
      ...FIELDS,
      description: null,
      is_enabled: true,
      id: expect.stringMatching(/^whep_[0-9A-Z]{26}$/),
      organization_id: 'org_1',
      created_at: '2026-01-14T12:00:00.000Z',
      updated_at: '2026-01-14T12:00:00.000Z',
    }
    expect([status, body]).toEqual([200, { webhook_endpoint: expected }])
    expect(webhookEndpointSchema.parse(body.webhook_endpoint)).toEqual(expected)
    expect(await read(body.webhook_endpoint.id)).toEqual(body)
    const full = { description: 'Mine', is_enabled: false, event_kinds: [...EVENT_KINDS] }
    expect(await create(full)).toMatchObject(full)
  })

  test.each([
    [{ url: 'ftp://example.com' }, '/url', 'invalid_format'],
    [{ url: 'http://example.com' }, '/url', 'https_required'],
    [{ event_kinds: [] }, '/event_kinds', 'too_short'],
    [{ event_kinds: ['call.imagined'] }, '/event_kinds/0', 'invalid_value'],
    [{ is_enabled: 1 }, '/is_enabled', 'invalid_type'],
    [{ secret: 'x' }, '/secret', 'unknown_field'],
  ])('%j is refused', async (fields, pointer, code) => {
    expect(fieldErrorsOf(await post(fields))).toEqual([[pointer, code]])
    expect((await api.request('GET', BASE)).body.webhook_endpoints).toEqual([])
  })
})

test('GET /webhook-endpoints shows all, newest first, by pages', async () => {
  const made = [await create(), await create(), await create()]
  const { body } = await api.request('GET', BASE)
  expect(body).toEqual({ webhook_endpoints: made.toReversed(), next_cursor: null })
  const first = await api.request('GET', `${BASE}?limit=2`)
  const rest = await api.request('GET', `${BASE}?cursor=${first.body.next_cursor}`)
  const paged = [...first.body.webhook_endpoints, ...rest.body.webhook_endpoints]
  expect(paged).toEqual(body.webhook_endpoints)
})

describe('PATCH /webhook-endpoints/{id}', () => {
  test.each([
    { url: 'https://other.example' },
    { description: 'New' },
    { description: null },
    { event_kinds: ['campaign.started'] },
    { is_enabled: false },
    {},
  ])('%j changes nothing else, and applies no default', async (fields) => {
    const before = await create({ description: 'Mine', is_enabled: false })
    const { status, body } = await patch(before.id, fields)
    expect([status, body]).toEqual([200, { webhook_endpoint: { ...before, ...fields } }])
    expect(await read(before.id)).toEqual(body)
  })

  test('changes of different fields at the same time all survive', async () => {
    const { id } = await create()
    await Promise.all([
      patch(id, { url: 'https://other.example' }),
      patch(id, { description: 'New' }),
      patch(id, { is_enabled: false }),
    ])
    expect((await read(id)).webhook_endpoint).toMatchObject({
      url: 'https://other.example',
      description: 'New',
      is_enabled: false,
    })
  })

  test('an insecure address is refused', async () => {
    const { id } = await create()
    const answer = await patch(id, { url: 'http://example.com' })
    expect(fieldErrorsOf(answer)).toEqual([['/url', 'https_required']])
  })
})

test('DELETE /webhook-endpoints/{id} removes it, once', async () => {
  const { id } = await create()
  const remove = () => api.request('DELETE', `${BASE}/${id}`)
  expect((await remove()).body).toEqual({ success: true })
  expect((await remove()).status).toBe(404)
})

test.each([
  ['GET', undefined],
  ['PATCH', { is_enabled: false }],
  ['DELETE', undefined],
])('%s /webhook-endpoints/{id} of another organization is a 404', async (method, json) => {
  const before = await create()
  const answer = await api.request(method, `${BASE}/${before.id}`, { key: KEYS.other, json })
  expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
  expect(await read(before.id)).toEqual({ webhook_endpoint: before })
})
