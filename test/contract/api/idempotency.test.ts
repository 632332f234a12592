import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { takesIdempotencyKey } from '#shared/contract/route.ts'
import { routes } from '#shared/contract/routes.ts'
import { NOON } from '#test/support/an-order.ts'
import { KEYS } from '#test/support/api-ports.ts'
import {
  type Api,
  type ApiAnswer,
  type ApiRequestOptions,
  startApi,
} from '#test/support/api-server.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const LEASE_MS = 30_000

let api: Api
/** Ids of the orders that were stored, in the order in which they were. */
let orders: string[]
beforeEach(async () => {
  api = await startApi()
  orders = []
  const { calls } = api.ports
  const real = { ...calls }
  calls.save = async (write) => {
    const result = await real.save(write)
    if (write.order?.before === null && result.kind === 'saved') orders.push(write.order.after.id)
    return result
  }
})
afterEach(() => api.stop())

const order = { phone_number: '+12025550100', assistant: { prompt: 'P' } }
const post = (path: string, key: string, options: ApiRequestOptions = {}) =>
  api.request('POST', path, { ...options, headers: { 'idempotency-key': key } })
const place = (key: string, json: unknown = order, options: ApiRequestOptions = {}) =>
  post('/v1/call', key, { json, ...options })

const replayed = ({ headers }: ApiAnswer) => headers.get('idempotent-replayed')
const problemOf = ({ status, body }: ApiAnswer) => [status, body.code]
const passTime = (ms: number) => Object.assign(api.ports.clock, { now: () => NOON + ms })

describe('a request that is sent again', () => {
  test('gets the answer that it got, marked, and is done once', async () => {
    const first = await place('k1')
    const again = await place('k1')
    expect([first.status, replayed(first)]).toEqual([200, null])
    expect([again.status, replayed(again)]).toEqual([200, 'true'])
    expect(again.body).toEqual(first.body)
    expect(orders).toEqual([first.body.call.id])
  })

  test('is known by what it says, not by how it is written', async () => {
    const first = await place('k1', { ...order, force_now: true })
    const { phone_number, assistant } = order
    const again = await post('/v1/call', '"k1"', {
      text: JSON.stringify({ force_now: true, assistant, phone_number }, null, 2),
    })
    expect([again.body, replayed(again)]).toEqual([first.body, 'true'])
  })

  test('is a new one after 24 hours', async () => {
    const first = await place('k1')
    passTime(DAY_MS - 1)
    expect((await place('k1')).body).toEqual(first.body)
    passTime(DAY_MS)
    const later = await place('k1')
    expect([later.status, replayed(later), orders.length]).toEqual([200, null, 2])
    expect(later.body.call.id).not.toBe(first.body.call.id)
  })

  test('shows the answer of its time, whatever happened since', async () => {
    const { body } = await place('k1')
    await api.request('POST', `/v1/call/${body.call.id}/cancel`)
    expect((await place('k1')).body.call.status).toBe(body.call.status)
  })

  test('may be an action', async () => {
    const { id } = (await place('k1', { ...order, scheduled_at: '2026-02-01T00:00:00Z' })).body.call
    const first = await post(`/v1/call/${id}/pause`, 'k2')
    const again = await post(`/v1/call/${id}/pause`, 'k2')
    const unnamed = await api.request('POST', `/v1/call/${id}/pause`)
    expect([first.status, again.status, replayed(again)]).toEqual([200, 200, 'true'])
    expect(problemOf(unnamed)).toEqual([409, 'state_conflict'])
  })
})

describe('a key', () => {
  test.each(['x', 'a-b_c.d:e', 'x'.repeat(255), '"with blanks, and commas"', '"\\"\\\\"'])(
    '%s is taken',
    async (key) => {
      expect([(await place(key)).status, replayed(await place(key))]).toEqual([200, 'true'])
    },
  )

  test.each(['', '""', '"', 'a b', 'a,b', '"a","b"', '"a', 'a"b', '"\\a"', 'é', 'x'.repeat(256)])(
    '%j is a 400, and nothing is done',
    async (key) => {
      expect(problemOf(await place(key))).toEqual([400, 'malformed_request'])
      expect(orders).toEqual([])
    },
  )

  test.each<[what: string, send: () => Promise<ApiAnswer>]>([
    ['body', () => place('k1', { ...order, force_now: true })],
    ['mode of the API key', () => place('k1', order, { key: KEYS.live })],
  ])('stands for one request: another %s is a 422', async (_what, send) => {
    await place('k1')
    expect(problemOf(await send())).toEqual([422, 'idempotency_key_reused'])
    expect(orders).toHaveLength(1)
  })

  test('stands for one target of an action', async () => {
    const ids = [(await place('k1')).body.call.id, (await place('k2')).body.call.id]
    expect((await post(`/v1/call/${ids[0]}/cancel`, 'k3')).status).toBe(200)
    expect(problemOf(await post(`/v1/call/${ids[1]}/cancel`, 'k3'))).toEqual([
      422,
      'idempotency_key_reused',
    ])
  })

  test('belongs to one operation of one organization', async () => {
    const first = await place('k1')
    const other = await place('k1', order, { key: KEYS.other })
    const assistant = await post('/v1/assistants', 'k1', { json: { name: 'A', prompt: 'P' } })
    expect([first, other, assistant].map(({ status }) => status)).toEqual([200, 200, 200])
    expect([replayed(other), replayed(assistant)]).toEqual([null, null])
    expect(new Set(orders).size).toBe(2)
  })

  test('is free again after a refusal', async () => {
    const refused = await place('k1', { ...order, assistant_id: 'asst_none' })
    expect(refused.status).toBe(422)
    const corrected = await place('k1')
    expect([corrected.status, replayed(corrected)]).toEqual([200, null])
  })

  test('means nothing to a reading', async () => {
    const headers = { 'idempotency-key': ',' }
    expect((await api.request('GET', '/v1/call/x', { headers })).status).toBe(404)
  })

  test('is taken by every operation that creates or acts, and by no other', () => {
    for (const [id, { method, scope }] of Object.entries(routes)) {
      const acts = method === 'POST' && scope?.split(':')[1] === 'write'
      expect([id, takesIdempotencyKey({ method, scope })]).toEqual([id, acts])
    }
  })
})

describe('while a request is worked on', () => {
  test('50 equal ones at once make one order', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => place('k1')))
    expect(orders).toHaveLength(1)
    const done = answers.filter(({ status }) => status === 200)
    const busy = answers.filter(({ status }) => status !== 200)
    expect(done.filter((answer) => replayed(answer) === null)).toHaveLength(1)
    expect(new Set(done.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    for (const answer of busy) {
      expect(problemOf(answer)).toEqual([409, 'request_in_flight'])
      expect(answer.headers.get('retry-after')).toBe('1')
    }
    const later = await place('k1')
    expect([later.body, replayed(later)]).toEqual([done[0]?.body, 'true'])
  })
})

describe('after a crash', () => {
  /** The process dies at its n-th call of a method: the caller never hears of it. */
  const dieAt = (store: object, method: string, when: 'before' | 'after') => {
    const { [method]: work } = store as Record<string, (...given: unknown[]) => Promise<unknown>>
    Object.assign(store, {
      [method]: async (...given: unknown[]) => {
        Object.assign(store, { [method]: work })
        if (when === 'after') await work?.(...given)
        throw new Error('The process died')
      },
    })
  }
  /** A process that is killed settles nothing. */
  const loseSettlement = () => {
    const { idempotency } = api.ports
    const real = { ...idempotency }
    idempotency.save = async (change) => {
      if (change.before === null) return real.save(change)
      Object.assign(idempotency, real)
      throw new Error('The process died')
    }
  }

  test.each(['before', 'after'] as const)(
    '%s the order was saved, sending again makes one order',
    async (when) => {
      dieAt(api.ports.calls, 'save', when)
      expect((await place('k1')).status).toBe(500)
      const again = await place('k1')
      expect([again.status, replayed(again)]).toEqual([200, null])
      expect(orders).toEqual([again.body.call.id])
      expect((await place('k1')).body).toEqual(again.body)
    },
  )

  test('before the answer was kept, the lease passes and sending again makes no second order', async () => {
    loseSettlement()
    const first = await place('k1')
    expect(first.status).toBe(200)
    passTime(LEASE_MS - 1)
    expect(problemOf(await place('k1'))).toEqual([409, 'request_in_flight'])
    passTime(LEASE_MS)
    const again = await place('k1')
    expect(again.body.call.id).toBe(first.body.call.id)
    expect(orders).toHaveLength(1)
    expect(replayed(await place('k1'))).toBe('true')
  })

  test('a stored assistant is found under the id it had', async () => {
    const json = { name: 'A', prompt: 'P', faq_items: [{ question: 'Q', answer: 'A' }] }
    dieAt(api.ports.assistants, 'save', 'after')
    expect((await post('/v1/assistants', 'k1', { json })).status).toBe(500)
    const { body } = await post('/v1/assistants', 'k1', { json })
    const read = await api.request('GET', `/v1/assistants/${body.assistant.id}`)
    expect(read.body).toEqual(body.assistant)
  })

  test('a refusal that an earlier run may have caused does not free the key', async () => {
    const { id } = (await place('k1')).body.call
    dieAt(api.ports.calls, 'save', 'after')
    expect((await post(`/v1/call/${id}/cancel`, 'k2')).status).toBe(500)
    expect(problemOf(await post(`/v1/call/${id}/cancel`, 'k2'))).toEqual([409, 'state_conflict'])
    const other = (await place('k3')).body.call.id
    expect(problemOf(await post(`/v1/call/${other}/cancel`, 'k2'))).toEqual([
      422,
      'idempotency_key_reused',
    ])
  })
})
