import { afterAll, beforeAll, expect, test } from 'vitest'

import { routes } from '#shared/contract/routes.ts'
import { type Api, fieldErrorsOf, startApi } from '#test/support/api-server.ts'

let api: Api
beforeAll(async () => void (api = await startApi()))
afterAll(() => api.stop())

async function voices(query = '') {
  const { status, body } = await api.request('GET', `/v1/voices${query}`)
  expect(status).toBe(200)
  return routes.listVoices.response.parse(body).voices
}

test('spec 4.4 GET /voices is the whole catalogue, every voice usable in an assistant', async () => {
  const all = await voices()
  expect(new Set(all.map(({ provider }) => provider)).size).toBe(3)
  for (const { id, provider } of all) {
    const json = { name: 'A', prompt: 'P', voice: { id, provider } }
    expect((await api.request('POST', '/v1/assistants', { json })).status).toBe(200)
  }
})

test('filters combine', async () => {
  const all = await voices()
  const found = await voices('?provider=voice_provider_2&language=fr')
  expect(found).toEqual(
    all.filter(
      ({ provider, languages }) =>
        provider === 'voice_provider_2' && languages.some((one) => one.startsWith('fr-')),
    ),
  )
  expect(found).not.toHaveLength(0)
  expect(await voices('?language=tlh')).toEqual([])
})

test.each([
  ['provider=voice_provider_4', '/provider'],
  ['language=', '/language'],
  ['language=e_n', '/language'],
  ['speaker=x', '/speaker'],
])('?%s is refused', async (query, pointer) => {
  const answer = await api.request('GET', `/v1/voices?${query}`)
  expect(fieldErrorsOf(answer).map(([place]) => place)).toEqual([pointer])
})
