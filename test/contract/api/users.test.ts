import { afterEach, beforeEach, expect, test } from 'vitest'

import { userSchema } from '#shared/contract/user.ts'
import { KEYS } from '#test/support/api-ports.ts'
import { type Api, fieldErrorsOf, startApi } from '#test/support/api-server.ts'

let api: Api
beforeEach(async () => void (api = await startApi()))
afterEach(() => api.stop())

const ME = '/v1/users/me'
const change = (json: unknown) => api.request('PATCH', ME, { json })

const USER = {
  id: 'user_1',
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  has_completed_onboarding: true,
  organization_id: 'org_1',
  created_at: '1970-01-01T00:00:00.000Z',
  updated_at: '1970-01-01T00:00:00.000Z',
}

test('spec 4.5 GET /users/me is the user of the key (spec 2.12)', async () => {
  const { status, body } = await api.request('GET', ME)
  expect([status, body]).toEqual([200, { user: USER }])
  expect(Object.keys(userSchema.shape).toSorted()).toEqual(Object.keys(USER).toSorted())
  const other = await api.request('GET', ME, { key: KEYS.other })
  expect(other.body.user).toMatchObject({ id: 'user_2', organization_id: 'org_2' })
})

test('spec 4.5 PATCH /users/me has_completed_onboarding', async () => {
  const { status, body } = await change({ has_completed_onboarding: false })
  const changed = {
    ...USER,
    has_completed_onboarding: false,
    updated_at: '2026-01-14T12:00:00.000Z',
  }
  expect([status, body]).toEqual([200, { user: changed }])
  expect((await api.request('GET', ME)).body).toEqual({ user: changed })
})

test('spec 4.5 PATCH /users/me: a body without fields keeps it', async () => {
  expect((await change({})).body.user.has_completed_onboarding).toBe(true)
})

test('spec 4.5 PATCH /users/me: the user sent back as it is changes nothing else', async () => {
  const { status, body } = await change({ ...USER, email: 'eve@example.com' })
  expect([status, body.user.email]).toEqual([200, USER.email])
})

test.each([
  [{ has_completed_onboarding: null }, '/has_completed_onboarding', 'invalid_type'],
  [{ has_completed_onboarding: 'yes' }, '/has_completed_onboarding', 'invalid_type'],
  [{ nickname: 'x' }, '/nickname', 'unknown_field'],
])('spec 4.5 PATCH /users/me: %j is refused', async (json, pointer, code) => {
  expect(fieldErrorsOf(await change(json))).toEqual([[pointer, code]])
  expect((await api.request('GET', ME)).body).toEqual({ user: USER })
})

test('PATCH /users/me needs users:write', async () => {
  const answer = await api.request('PATCH', ME, { key: KEYS.readOnly, json: {} })
  expect([answer.status, answer.body.code]).toEqual([403, 'insufficient_scope'])
})
