import { expect, it } from 'vitest'

import { signWebhook } from '#shared/adapters/notify/sign-webhook.ts'

const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
const OTHER = 'whsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA='
const SIGNATURE = 'v1,oVHj138OUs0XZ11DN4ugvW4EvQZMfwID8SFYesT2h2M='
const MESSAGE = {
  id: 'msg_01',
  at: 1_767_323_045_000,
  body: '{"type":"call.completed","timestamp":"2026-01-02T03:04:05Z","data":{"id":"call_1"}}',
}

it('signs as Standard Webhooks 1.0 does', () => {
  expect(signWebhook({ ...MESSAGE, secrets: [SECRET] })).toEqual({
    'webhook-id': 'msg_01',
    'webhook-timestamp': '1767323045',
    'webhook-signature': SIGNATURE,
  })
})

it('signs with every secret, the newest first', () => {
  const both = signWebhook({ ...MESSAGE, secrets: [OTHER, SECRET] })['webhook-signature']
  const [newest, oldest] = both.split(' ')
  expect(oldest).toBe(SIGNATURE)
  expect(newest).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/)
  expect(newest).not.toBe(oldest)
})

it('cuts parts of a second off the timestamp', () => {
  const late = signWebhook({ ...MESSAGE, at: MESSAGE.at + 999, secrets: [SECRET] })
  expect(late['webhook-signature']).toBe(SIGNATURE)
})

it('signs nothing without a secret, or under an id that could be confused with its time', () => {
  expect(() => signWebhook({ ...MESSAGE, secrets: [] })).toThrow(RangeError)
  expect(() => signWebhook({ ...MESSAGE, id: 'msg.1', secrets: [SECRET] })).toThrow(RangeError)
})
