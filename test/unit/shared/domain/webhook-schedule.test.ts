import { describe, expect, it, test } from 'vitest'

import type { WebhookDelivery } from '#shared/domain/webhook-delivery.ts'
import { planWebhookTry } from '#shared/domain/webhook-schedule.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const START = 1_768_392_000_000

const fresh: WebhookDelivery = {
  id: 'evt_1',
  organizationId: 'org_1',
  orderId: 'call_1',
  url: 'https://example.com/hook',
  body: '{}',
  status: 'pending',
  version: 1,
  endpointId: null,
  tries: [],
  dueAt: START,
  createdAt: START,
}

function tryOnce(
  delivery: WebhookDelivery,
  answer: { readonly statusCode: number | null; readonly retryAfterSecs?: number | null },
  jitter = 0,
): WebhookDelivery {
  const at = delivery.dueAt ?? START
  return planWebhookTry(delivery, { at, retryAfterSecs: null, ...answer }, jitter)
}

it('makes ten tries, each so long after the one before', () => {
  const waits: number[] = []
  let delivery = fresh
  while (delivery.dueAt !== null) {
    const at = delivery.dueAt
    delivery = tryOnce(delivery, { statusCode: 500 })
    if (delivery.dueAt !== null) waits.push(delivery.dueAt - at)
  }
  expect(waits).toEqual([
    5 * SECOND,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
  ])
  expect(delivery).toMatchObject({ status: 'failed', version: 11, dueAt: null, id: 'evt_1' })
  expect(delivery.tries).toHaveLength(10)
})

test.each<[number | null, WebhookDelivery['status']]>([
  [200, 'delivered'],
  [204, 'delivered'],
  [299, 'delivered'],
  [410, 'disabled'],
  [199, 'pending'],
  [301, 'pending'],
  [404, 'pending'],
  [429, 'pending'],
  [503, 'pending'],
  [null, 'pending'],
])('after answer %s it is %s', (statusCode, status) => {
  const next = tryOnce(fresh, { statusCode })
  expect(next).toMatchObject({ status, version: 2, tries: [{ at: START, statusCode }] })
  expect(next.dueAt !== null).toBe(status === 'pending')
})

describe('the next try', () => {
  const wait = (retryAfterSecs: number | null, jitter = 0) =>
    (tryOnce(fresh, { statusCode: 503, retryAfterSecs }, jitter).dueAt ?? 0) - START

  it('is at most a tenth later by jitter, never earlier', () => {
    expect(wait(null, 0)).toBe(5 * SECOND)
    expect(wait(null, 0.5)).toBe(5250)
    expect(wait(null, 1)).toBe(5500)
  })

  it('waits as long as the receiver asks when that is longer, up to a day', () => {
    expect(wait(1)).toBe(5 * SECOND)
    expect(wait(120)).toBe(2 * MINUTE)
    expect(wait(10_000_000)).toBe(24 * HOUR)
  })
})

it('leaves a settled delivery alone', () => {
  const delivered = tryOnce(fresh, { statusCode: 200 })
  expect(tryOnce(delivered, { statusCode: 500 })).toBe(delivered)
})
