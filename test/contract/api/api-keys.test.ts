import { createHash } from 'node:crypto'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { apiKeySchema } from '#shared/contract/api-key.ts'
import { checkApiKey } from '#shared/domain/api-key.ts'
import { NOON } from '#test/support/an-order.ts'
import { KEYS } from '#test/support/api-ports.ts'
import { type Api, fieldErrorsOf, startApi } from '#test/support/api-server.ts'

let api: Api
beforeEach(async () => void (api = await startApi()))
afterEach(() => api.stop())

const create = (fields: object = {}, key = KEYS.live) =>
  api.request('POST', '/v1/api-keys', {
    key,
    json: { name: 'CI', scopes: ['calls:read'], ...fields },
  })
const one = (id: string, key = KEYS.live) => api.request('GET', `/v1/api-keys/${id}`, { key })
const works = async (key: string) =>
  (await api.request('GET', '/v1/call/call_none', { key })).status !== 401

describe('POST /api-keys', () => {
  test('shows the key once, and from then on its mask', async () => {
    const { status, body } = await create({ expires_at: '2027-01-01T00:00:00Z' })
    expect(status).toBe(200)
    expect(checkApiKey(body.key)).toEqual({ mode: 'live' })
    const expected = {
      id: expect.stringMatching(/^key_[0-9A-Z]{26}$/),
      name: 'CI',
      masked_key: `vak_live_…${body.key.slice(-4)}`,
      mode: 'live',
      scopes: ['calls:read'],
      organization_id: 'org_1',
      user_id: 'user_1',
      created_at: '2026-01-14T12:00:00.000Z',
      expires_at: '2027-01-01T00:00:00.000Z',
      revoked_at: null,
      last_used_at: null,
    }
    expect(body.api_key).toEqual(expected)
    const found = await one(body.api_key.id)
    expect(found.body).toEqual({ api_key: expected })
    expect(apiKeySchema.parse(found.body.api_key)).toEqual(expected)
    expect(JSON.stringify(found.body)).not.toContain(body.key)
  })

  test('stores only its hash', async () => {
    const { key } = (await create()).body
    const hash = createHash('sha256').update(key).digest('hex')
    const stored = await api.ports.organizations.findApiKey(hash)
    expect(stored?.hash).toBe(hash)
    expect(JSON.stringify(stored)).not.toContain(key)
  })

  test('gives a key that may do what its scopes say, and no more', async () => {
    const { key } = (await create()).body
    const read = await api.request('GET', '/v1/call/call_none', { key })
    const written = await api.request('POST', '/v1/call', { key, json: {} })
    expect([read.status, written.status]).toEqual([404, 403])
  })

  test.each([
    ['a scope that the asking key lacks', KEYS.test, { scopes: ['*'] }],
    ['a live key by a test key', KEYS.test, { mode: 'live' }],
    ['anything by a key without api-keys:write', KEYS.readOnly, {}],
  ])('refuses %s', async (_, key, fields) => {
    const answer = await create(fields, key)
    expect([answer.status, answer.body.code]).toEqual([403, 'insufficient_scope'])
    const { body } = await api.request('GET', '/v1/api-keys')
    expect(body.api_keys.filter(({ name }: { name: string }) => name === 'CI')).toEqual([])
  })

  test('a test key makes test keys; a live key may make either', async () => {
    const modes = [
      (await create({}, KEYS.test)).body.api_key.mode,
      (await create({ mode: 'test' })).body.api_key.mode,
    ]
    expect(modes).toEqual(['test', 'test'])
  })

  test.each([
    [{ name: '' }, '/name', 'too_short'],
    [{ scopes: [] }, '/scopes', 'too_short'],
    [{ scopes: ['calls:read', 'calls:fly'] }, '/scopes/1', 'unknown_scope'],
    [{ mode: 'demo' }, '/mode', 'invalid_value'],
    [{ expires_at: '2026-01-14T12:00:00Z' }, '/expires_at', 'in_the_past'],
    [{ expires_at: '2027-01-01' }, '/expires_at', 'invalid_timestamp'],
    [{ key: 'vak_live_mine' }, '/key', 'unknown_field'],
  ])('%j is refused', async (fields, pointer, code) => {
    expect(fieldErrorsOf(await create(fields))).toEqual([[pointer, code]])
  })
})

describe('GET /api-keys', () => {
  test('shows all keys of the organization, masked, by pages', async () => {
    const { body } = await api.request('GET', '/v1/api-keys')
    const names = body.api_keys.map(({ name }: { name: string }) => name)
    expect(names.toSorted()).toEqual(['expired', 'live', 'readOnly', 'revoked', 'test'])
    for (const key of Object.values(KEYS)) expect(JSON.stringify(body)).not.toContain(key)
    const first = await api.request('GET', '/v1/api-keys?limit=3')
    const rest = await api.request('GET', `/v1/api-keys?cursor=${first.body.next_cursor}`)
    expect([...first.body.api_keys, ...rest.body.api_keys]).toEqual(body.api_keys)
  })
})

describe('DELETE /api-keys/{id}', () => {
  test('revokes the key, which stays in the list', async () => {
    const { api_key: created, key } = (await create()).body
    expect(await works(key)).toBe(true)
    for (const _ of ['first', 'again']) {
      const answer = await api.request('DELETE', `/v1/api-keys/${created.id}`)
      expect([answer.status, answer.body]).toEqual([200, { success: true }])
    }
    expect(await works(key)).toBe(false)
    expect((await one(created.id)).body.api_key.revoked_at).toBe('2026-01-14T12:00:00.000Z')
  })
})

describe('POST /api-keys/{id}/rotate', () => {
  const rotate = (id: string, json: object = {}, key = KEYS.live) =>
    api.request('POST', `/v1/api-keys/${id}/rotate`, { key, json })

  test('gives a key that may do the same, while the old one still works', async () => {
    const old = (await create()).body
    const { status, body } = await rotate(old.api_key.id, { overlap_seconds: 60 })
    expect(status).toBe(200)
    expect(body.api_key).toEqual({
      ...old.api_key,
      id: expect.not.stringMatching(old.api_key.id),
      masked_key: `vak_live_…${body.key.slice(-4)}`,
    })
    expect([await works(old.key), await works(body.key)]).toEqual([true, true])
    expect((await one(old.api_key.id)).body.api_key.expires_at).toBe('2026-01-14T12:01:00.000Z')
  })

  test('the overlap is a day when nothing is said, and none when it is 0', async () => {
    const [first, second] = [(await create()).body, (await create()).body]
    await rotate(first.api_key.id)
    expect((await one(first.api_key.id)).body.api_key.expires_at).toBe('2026-01-15T12:00:00.000Z')
    await rotate(second.api_key.id, { overlap_seconds: 0 })
    expect(await works(second.key)).toBe(false)
  })

  test('never prolongs the old key', async () => {
    const old = (await create({ expires_at: '2026-01-14T12:00:30Z' })).body
    await rotate(old.api_key.id, { overlap_seconds: 60 })
    expect((await one(old.api_key.id)).body.api_key.expires_at).toBe('2026-01-14T12:00:30.000Z')
  })

  test.each(['key_expired', 'key_revoked'])('%s cannot be rotated', async (id) => {
    const answer = await rotate(id)
    expect([answer.status, answer.body.code]).toEqual([409, 'state_conflict'])
  })

  test('nobody gets a key that may do more than their own', async () => {
    expect((await rotate('key_1', {}, KEYS.test)).status).toBe(403)
    expect(await works(KEYS.live)).toBe(true)
    expect((await one('key_1')).body.api_key.expires_at).toBe('2026-01-14T12:00:00.001Z')
  })

  test.each([-1, 1.5, 30 * 86_400 + 1, null])('an overlap of %s is refused', async (overlap) => {
    const answer = await rotate('key_1', { overlap_seconds: overlap })
    expect(fieldErrorsOf(answer)[0]?.[0]).toBe('/overlap_seconds')
  })
})

describe('isolation', () => {
  test.each([
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/rotate'],
  ])('%s /api-keys/{id}%s of another organization is a 404', async (method, suffix) => {
    const path = `/v1/api-keys/key_1${suffix}`
    const json = method === 'POST' ? {} : undefined
    const answer = await api.request(method, path, { key: KEYS.other, json })
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
    expect(await works(KEYS.live)).toBe(true)
    expect((await one('key_1')).body.api_key.expires_at).toBe('2026-01-14T12:00:00.001Z')
  })
})

test('when a key was used is kept to the hour', async () => {
  const { organizations } = api.ports
  const lastUse = async () => (await one('key_test')).body.api_key.last_used_at
  expect(await lastUse()).toBeNull()
  const hash = createHash('sha256').update(KEYS.test).digest('hex')
  for (const [before, after] of [
    [NOON - 3_600_000, '2026-01-14T12:00:00.000Z'],
    [NOON - 3_599_999, '2026-01-14T11:00:00.001Z'],
  ] as const) {
    await organizations.changeApiKey(hash, { lastUsedAt: before })
    await works(KEYS.test)
    expect(await lastUse()).toBe(after)
  }
})
