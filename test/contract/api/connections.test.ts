import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { connectionSchema } from '#shared/contract/connection.ts'
import { CONNECTION_KINDS } from '#shared/domain/connection.ts'
import { KEYS, ORGANIZATION } from '#test/support/api-ports.ts'
import { type Api, fieldErrorsOf, startApi } from '#test/support/api-server.ts'

let api: Api
beforeEach(async () => void (api = await startApi()))
afterEach(() => api.stop())

const FIELDS = {
  kind: 'crm_b',
  name: 'Sales',
  settings: { base_url: 'https://crm.example', data_centre: 'eu' },
  secrets: { refresh_token: 'refresh-abcd1234', client_secret: 'short' },
}
const MASKS = { refresh_token: '…1234', client_secret: '…' }

const post = (fields: object = {}) =>
  api.request('POST', '/v1/connections', { json: { ...FIELDS, ...fields } })
const create = async (fields: object = {}) => (await post(fields)).body.connection
const patch = (id: string, json: unknown) => api.request('PATCH', `/v1/connections/${id}`, { json })
const read = async (id: string) => (await api.request('GET', `/v1/connections/${id}`)).body
const secretsOf = async (id: string) =>
  (await api.ports.connections.find(ORGANIZATION, id))?.secrets

describe('POST /connections', () => {
  test('stores the secrets, and answers their masks', async () => {
    const { status, body } = await post()
    const expected = {
      ...FIELDS,
      secrets: MASKS,
      id: expect.stringMatching(/^conn_[0-9A-Z]{26}$/),
      organization_id: 'org_1',
      created_at: '2026-01-14T12:00:00.000Z',
      updated_at: '2026-01-14T12:00:00.000Z',
    }
    expect([status, body]).toEqual([200, { connection: expected }])
    expect(connectionSchema.parse(body.connection)).toEqual(expected)
    expect(await read(body.connection.id)).toEqual(body)
    expect(await secretsOf(body.connection.id)).toEqual(FIELDS.secrets)
  })

  test.each(CONNECTION_KINDS)('the kind %s is taken', async (kind) => {
    expect((await post({ kind })).body.connection.kind).toBe(kind)
  })

  test.each([
    [{ kind: 'fax' }, '/kind'],
    [{ name: '' }, '/name'],
    [{ secrets: undefined }, '/secrets'],
    [{ secrets: { token: '' } }, '/secrets/token'],
    [{ secrets: { token: '…1234' } }, '/secrets/token'],
    [{ secrets: { 'a/b': 'x' } }, '/secrets/a~1b'],
    [{ settings: { base_url: 1 } }, '/settings/base_url'],
    [{ token: 'x' }, '/token'],
  ])('%j is refused, and nothing is stored', async (fields, pointer) => {
    expect(fieldErrorsOf(await post(fields)).map(([place]) => place)).toEqual([pointer])
    expect((await api.request('GET', '/v1/connections')).body.connections).toEqual([])
  })
})

describe('GET /connections', () => {
  test('shows all, newest first, by pages, never a secret', async () => {
    const made = [await create(), await create({ name: 'Other' }), await create()]
    const { body } = await api.request('GET', '/v1/connections')
    expect(body).toEqual({ connections: made.toReversed(), next_cursor: null })
    expect(JSON.stringify(body)).not.toContain('refresh-abcd')
    const first = await api.request('GET', '/v1/connections?limit=2')
    const rest = await api.request('GET', `/v1/connections?cursor=${first.body.next_cursor}`)
    expect([...first.body.connections, ...rest.body.connections]).toEqual(body.connections)
  })
})

describe('PATCH /connections/{id}', () => {
  test.each([{ name: 'New' }, { settings: { base_url: 'https://other.example' } }, {}])(
    '%j changes nothing else',
    async (fields) => {
      const before = await create()
      const { status, body } = await patch(before.id, fields)
      expect([status, body]).toEqual([200, { connection: { ...before, ...fields } }])
      expect(await secretsOf(before.id)).toEqual(FIELDS.secrets)
    },
  )

  test('secrets replace whole; a mask keeps its secret', async () => {
    const { id } = await create()
    await patch(id, { secrets: { refresh_token: MASKS.refresh_token, api_key: 'a-new-secret' } })
    expect(await secretsOf(id)).toEqual({
      refresh_token: FIELDS.secrets.refresh_token,
      api_key: 'a-new-secret',
    })
  })

  test('the answer sent back as it is changes nothing', async () => {
    const before = await create()
    expect((await patch(before.id, before)).body).toEqual({ connection: before })
    expect(await secretsOf(before.id)).toEqual(FIELDS.secrets)
  })

  test('the mask of another secret is refused', async () => {
    const { id } = await create()
    const answer = await patch(id, { secrets: { client_secret: MASKS.refresh_token } })
    expect(fieldErrorsOf(answer)).toEqual([['/secrets/client_secret', 'masked_secret']])
    expect(await secretsOf(id)).toEqual(FIELDS.secrets)
  })
})

test('DELETE /connections/{id} removes it, once', async () => {
  const { id } = await create()
  const remove = () => api.request('DELETE', `/v1/connections/${id}`)
  expect((await remove()).body).toEqual({ success: true })
  expect((await remove()).status).toBe(404)
  expect((await read(id)).code).toBe('not_found')
})

test.each([
  ['GET', undefined],
  ['PATCH', { name: 'Mine' }],
  ['DELETE', undefined],
])('%s /connections/{id} of another organization is a 404', async (method, json) => {
  const before = await create()
  const path = `/v1/connections/${before.id}`
  const answer = await api.request(method, path, { key: KEYS.other, json })
  expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
  expect(await read(before.id)).toEqual({ connection: before })
})
