import { describe, expect, test } from 'vitest'

import { matchRoute } from '#shared/contract/match-route.ts'
import { BASE_PATH, type Route } from '#shared/contract/route.ts'
import { routes } from '#shared/contract/routes.ts'

describe('the route table', () => {
  const entries: [id: string, route: Route][] = Object.entries(routes)

  test.each(entries)('%s is found by its method and path, with its variables', (id, route) => {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
    const params = Object.fromEntries(names.map((name) => [name, `a-${name}`]))
    const path = route.path.replaceAll(/\{(\w+)\}/g, 'a-$1')
    const match = matchRoute({ method: route.method, path: BASE_PATH + path })
    expect(match).toEqual({ kind: 'found', id, params })
    expect(route.params.safeParse(params).success).toBe(true)
  })

  test.each(entries)('%s needs a scope exactly when it needs a key', (_id, route) => {
    expect(route.scope !== null).toBe(route.auth === 'key')
  })

  /** What they ask about does not fit into an address. */
  const readings: ReadonlySet<string> = new Set(['searchCalls', 'exportCalls', 'forecastCampaign'])
  test.each(entries)('%s may change something only with a scope to write', (id, route) => {
    if (route.auth !== 'key') return
    const isReading = route.method === 'GET' || readings.has(id)
    expect(route.scope).toMatch(isReading ? /:read$/ : /:write$/)
  })
})

describe('matching', () => {
  test.each(['', '/', '/v1', '/assistants', '/v1/assistants/', '/v1/assistants/a/b', '/v10/call'])(
    '%j is unknown',
    (path) => {
      expect(matchRoute({ method: 'GET', path })).toEqual({ kind: 'unknown' })
    },
  )

  test('a known path with another method says which there are', () => {
    const match = matchRoute({ method: 'PUT', path: '/v1/assistants' })
    expect(match).toEqual({ kind: 'wrongMethod', allow: ['GET', 'POST'] })
  })

  test.each([
    ['a%20b', 'a b'],
    ['a%2Fb', 'a/b'],
    ['%zz', '%zz'],
  ])('the variable %s is %j', (text, id) => {
    const match = matchRoute({ method: 'GET', path: `/v1/call/${text}` })
    expect(match).toMatchObject({ params: { id } })
  })
})
