import { describe, expect, it, test } from 'vitest'

import { OUTCOMES, type AssistantSettings, type Outcome } from '#shared/domain/assistant.ts'
import { ATTEMPT_RESULTS, type AttemptResult } from '#shared/domain/call-attempt/attempt.ts'
import { dueNotifications, type NotificationRouting } from '#shared/domain/notifications.ts'
import { anAttempt } from '#test/support/an-attempt.ts'
import { anOrder } from '#test/support/an-order.ts'
import { assistantSettings } from '#test/support/assistant-settings.ts'

const settings = assistantSettings({
  webhookUrl: 'https://example.com/hook',
  emailNotificationAddress: 'a@example.com, B@example.com,a@example.com',
  emailNotificationOutcomes: ['interested', 'none'],
  chat: {
    connectionId: 'conn_1',
    channels: [{ id: 'C1' }, { id: 'C2' }],
    outcomes: ['interested'],
  },
  crmB: {
    connectionId: 'conn_2',
    fieldMapping: [],
    logCallActivity: false,
    module: 'Leads',
    outcomes: ['not_interested'],
  },
  afterCallSmsOutcomes: ['completed', 'none'],
  afterCallSmsPrompt: 'Thank you.',
  voicemailSmsPrompt: 'We tried to reach you.',
})

function atTheEnd(
  outcome: Outcome | null,
  changes: Partial<AssistantSettings> = {},
  routing?: NotificationRouting,
) {
  return dueNotifications({
    settings: { ...settings, ...changes },
    order: anOrder({ status: 'completed' }),
    attempt: anAttempt(),
    outcome,
    moment: 'orderFinal',
    routing,
  }).map(({ channel, recipient }) => `${channel} ${recipient}`)
}

const WEBHOOK = 'webhook https://example.com/hook'
const EMAILS = ['email a@example.com', 'email b@example.com']
const SMS = 'sms_after_call +12025550100'

test.each<[Outcome | null, string[]]>([
  ['interested', [WEBHOOK, ...EMAILS, 'chat C1', 'chat C2']],
  ['not_interested', [WEBHOOK, 'crm_b conn_2']],
  ['completed', [WEBHOOK, SMS]],
  ['requested_callback_later', [WEBHOOK]],
  [null, [WEBHOOK, ...EMAILS, SMS]],
])('outcome %s', (outcome, expected) => {
  expect(atTheEnd(outcome)).toEqual(expected)
})

test.each([...OUTCOMES, null])('a bare assistant tells nobody of %s', (outcome) => {
  const order = anOrder({ status: 'completed' })
  const input = { settings: assistantSettings(), order, attempt: anAttempt(), outcome }
  expect(dueNotifications({ ...input, moment: 'orderFinal' })).toEqual([])
  expect(dueNotifications({ ...input, moment: 'attemptEnded' })).toEqual([])
})

describe('recipients', () => {
  it('are more, never fewer, with follow-up e-mails', () => {
    const routing = { followUpEmails: ['C@example.com', 'a@example.com'], chatChannelIds: null }
    expect(atTheEnd(null, {}, routing)).toEqual([WEBHOOK, ...EMAILS, 'email c@example.com', SMS])
  })

  it('are the routed channels among the configured ones', () => {
    const routing = { followUpEmails: null, chatChannelIds: ['C2', 'C9'] }
    expect(atTheEnd('interested', {}, routing)).toEqual([WEBHOOK, ...EMAILS, 'chat C2'])
    const nobody = { followUpEmails: null, chatChannelIds: [] }
    expect(atTheEnd('interested', {}, nobody)).toEqual([WEBHOOK, ...EMAILS])
  })

  it('do not exist where nothing is set', () => {
    expect(atTheEnd('completed', { afterCallSmsPrompt: null })).toEqual([WEBHOOK])
    expect(atTheEnd('completed', { afterCallSmsOutcomes: [] })).toEqual([WEBHOOK])
    expect(atTheEnd('interested', { emailNotificationAddress: null, chat: null })).toEqual([
      WEBHOOK,
    ])
  })
})

describe('the voicemail SMS', () => {
  const after = (result: AttemptResult | null, number: number) =>
    dueNotifications({
      settings,
      order: anOrder({ attemptsMade: number }),
      attempt: anAttempt({ result, number }),
      outcome: null,
      moment: 'attemptEnded',
    })

  test.each([...ATTEMPT_RESULTS, null])('after result %s', (result) => {
    const channels = after(result, 1).map(({ channel }) => channel)
    expect(channels).toEqual(result === 'voicemail' ? ['sms_voicemail'] : [])
  })

  it('has one key for all attempts of an order', () => {
    expect(after('voicemail', 1)).toEqual(after('voicemail', 2))
  })
})

it('gives each order, channel and recipient its own key, and the same one every time', () => {
  const keys = (id: string) =>
    dueNotifications({
      settings,
      order: anOrder({ id }),
      attempt: null,
      outcome: 'interested',
      moment: 'orderFinal',
    }).map(({ idempotencyKey }) => idempotencyKey)
  expect(new Set([...keys('call_1'), ...keys('call_2')]).size).toBe(10)
  expect(keys('call_1')).toEqual(keys('call_1'))
})

it('sends the SMS of an inbound call to the person who called', () => {
  const order = anOrder({ direction: 'inbound', fromPhoneNumber: '+12025550114' })
  const input = { settings, order, attempt: null, outcome: 'completed' } as const
  expect(dueNotifications({ ...input, moment: 'orderFinal' })).toContainEqual(
    expect.objectContaining({ channel: 'sms_after_call', recipient: '+12025550114' }),
  )
})
