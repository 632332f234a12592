import { describe, expect, test } from 'vitest'

import { WebhookInbox } from '#infra/local/webhook-inbox.ts'

const request = (id: string, fail: number) => ({
  at: 0,
  headers: { 'webhook-id': id },
  body: `{"id":"${id}"}`,
  fail,
})

describe('the webhook inbox', () => {
  test('accepts what comes, and keeps it as it came', () => {
    const inbox = new WebhookInbox()
    expect(inbox.receive(request('evt_1', 0))).toBe(200)
    expect(inbox.list()).toEqual([
      {
        received_at: '1970-01-01T00:00:00.000Z',
        status_answered: 200,
        headers: { 'webhook-id': 'evt_1' },
        body: '{"id":"evt_1"}',
      },
    ])
  })

  test('refuses the first tries of each event when it is asked to', () => {
    const inbox = new WebhookInbox()
    const answers = ['a', 'a', 'b', 'a', 'b', 'b'].map((id) => inbox.receive(request(id, 2)))
    expect(answers).toEqual([500, 500, 500, 200, 500, 200])
  })

  test('forgets the oldest beyond a thousand', () => {
    const inbox = new WebhookInbox()
    for (let index = 0; index < 1_001; index += 1) inbox.receive(request(`evt_${index}`, 0))
    expect(inbox.list()).toHaveLength(1_000)
    expect(inbox.list()[0]?.headers['webhook-id']).toBe('evt_1')
  })
})
