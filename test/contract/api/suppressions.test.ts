import { afterEach, beforeEach, expect, test } from 'vitest'

import { KEYS } from '#test/support/api-ports.ts'
import { type Api, fieldErrorsOf, startApi } from '#test/support/api-server.ts'

let api: Api
beforeEach(async () => void (api = await startApi()))
afterEach(() => api.stop())

const NUMBER = '+12025550100'
const BASE = '/v1/suppressions'
const suppress = (json: object = {}) =>
  api.request('POST', BASE, { json: { phone_number: NUMBER, ...json } })
const read = (path: string) => api.request('GET', `${BASE}/${path}`)

const SUPPRESSION = {
  phone_number: NUMBER,
  reason: null,
  organization_id: 'org_1',
  created_at: '2026-01-14T12:00:00.000Z',
}

test('POST /suppressions puts a number on the list', async () => {
  const { status, body } = await suppress()
  expect([status, body]).toEqual([200, { suppression: SUPPRESSION }])
  expect(await api.ports.suppressions.has('org_1', NUMBER)).toBe(true)
  for (const path of [NUMBER, encodeURIComponent(NUMBER)]) {
    expect((await read(path)).body).toEqual({ suppression: SUPPRESSION })
  }
})

test('POST /suppressions of a number on the list changes its reason', async () => {
  await suppress()
  const changed = { ...SUPPRESSION, reason: 'asked us to' }
  expect((await suppress({ reason: 'asked us to' })).body.suppression).toEqual(changed)
  const { body } = await api.request('GET', BASE)
  expect(body).toEqual({ suppressions: [changed], next_cursor: null })
})

test('many at the same time are one', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => suppress()))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await api.request('GET', BASE)).body.suppressions).toHaveLength(1)
})

test('GET /suppressions shows all by pages', async () => {
  const numbers = ['+12025550103', '+12025550101', '+12025550102']
  for (const phoneNumber of numbers) await suppress({ phone_number: phoneNumber })
  const first = await api.request('GET', `${BASE}?limit=2`)
  // As many clients do it: put into the query as it is.
  const rest = await api.request('GET', `${BASE}?cursor=${first.body.next_cursor}`)
  const seen = [...first.body.suppressions, ...rest.body.suppressions]
  expect(seen).toHaveLength(3)
  expect(new Set(seen.map((one) => one.phone_number))).toEqual(new Set(numbers))
  expect(rest.body.next_cursor).toBeNull()
})

test('DELETE /suppressions/{phone_number} lets the number be called again, once', async () => {
  await suppress()
  const remove = () => api.request('DELETE', `${BASE}/${NUMBER}`)
  expect((await remove()).body).toEqual({ success: true })
  expect((await remove()).status).toBe(404)
  expect(await api.ports.suppressions.has('org_1', NUMBER)).toBe(false)
})

test.each([
  [{ phone_number: '2025550100' }, '/phone_number', 'invalid_phone_number'],
  [{ phone_number: null }, '/phone_number', 'invalid_type'],
  [{ reason: 'x'.repeat(501) }, '/reason', 'too_long'],
  [{ id: 'x' }, '/id', 'unknown_field'],
])('%j is refused', async (json, pointer, code) => {
  expect(fieldErrorsOf(await suppress(json))).toEqual([[pointer, code]])
  expect((await api.request('GET', BASE)).body.suppressions).toEqual([])
})

test.each(['GET', 'DELETE'])(
  '%s of what another organization suppresses is a 404',
  async (method) => {
    await suppress()
    const answer = await api.request(method, `${BASE}/${NUMBER}`, { key: KEYS.other })
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
    expect((await read(NUMBER)).status).toBe(200)
  },
)
