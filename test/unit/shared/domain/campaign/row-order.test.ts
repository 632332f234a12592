import { describe, expect, it, test } from 'vitest'

import type { Campaign } from '#shared/domain/campaign/campaign.ts'
import type { ContactLine } from '#shared/domain/campaign/contact-file.ts'
import { newRowOrder, rowProblem } from '#shared/domain/campaign/row-order.ts'
import { aCampaign } from '#test/support/a-campaign.ts'
import { ALWAYS, NOON } from '#test/support/an-order.ts'

const MONDAYS = { ...ALWAYS, allowedDays: ['monday' as const] }

function rowOrder(
  changes: Partial<Campaign> = {},
  line: ContactLine = {
    kind: 'contact',
    contact: { toPhoneNumber: '+12025550100', promptVariables: { first_name: 'Bo' } },
  },
  assistant: { callRetryConfig: typeof ALWAYS | null; fromPhoneNumber: string | null } = {
    callRetryConfig: ALWAYS,
    fromPhoneNumber: '+12025550111',
  },
) {
  return newRowOrder(
    {
      campaign: aCampaign(changes),
      assistant,
      defaultFromPhoneNumber: '+12025550199',
      orderId: 'call_7',
      row: { rowId: 'row_7', rowIndex: 7 },
      line,
    },
    NOON,
  )
}

const withNumber = (toPhoneNumber: string): ContactLine => ({
  kind: 'contact',
  contact: { toPhoneNumber, promptVariables: { a: 'b' } },
})

it('waits in the scope of its campaign', () => {
  expect(rowOrder()).toMatchObject({
    id: 'call_7',
    version: 1,
    status: 'queued_for_calling',
    dueAt: NOON,
    scope: 'CMP#camp_1',
    campaign: { campaignId: 'camp_1', rowId: 'row_7', rowIndex: 7 },
    assistant: { kind: 'stored', assistantId: 'asst_1', version: 1 },
    toPhoneNumber: '+12025550100',
    promptVariables: { first_name: 'Bo' },
    retryConfig: ALWAYS,
    fromPhoneNumber: '+12025550111',
    visualNumber: null,
    warnings: [],
    isTest: true,
  })
})

it('takes from the campaign what it says itself, else from assistant and organization', () => {
  const own = { callRetryConfig: MONDAYS, fromPhoneNumber: '+12025550122' }
  expect(rowOrder(own)).toMatchObject({
    retryConfig: MONDAYS,
    fromPhoneNumber: '+12025550122',
    status: 'scheduled',
  })
  const silent = { callRetryConfig: null, fromPhoneNumber: null }
  expect(rowOrder({}, undefined, silent)).toMatchObject({
    retryConfig: { maxRetryAttempts: 3 },
    fromPhoneNumber: '+12025550199',
  })
})

it('waits for the time of its campaign', () => {
  const scheduledAt = NOON + 86_400_000
  expect(rowOrder({ scheduledAt })).toMatchObject({
    status: 'scheduled',
    scheduledAt,
    dueAt: scheduledAt,
  })
})

test.each<[Partial<Campaign>, string]>([
  [{ status: 'paused' }, 'paused'],
  [{ isCancelled: true }, 'cancelled'],
  [{ deletedAt: NOON }, 'cancelled'],
])('begins as its campaign stands: %o', (changes, status) => {
  expect(rowOrder(changes)).toMatchObject({ status, dueAt: null, version: 1 })
})

describe('one that can never be called', () => {
  test.each<[ContactLine, string]>([
    [withNumber('0123'), 'The phone number is not in E.164 form.'],
    [withNumber(''), 'The phone number is not in E.164 form.'],
    [withNumber('+12025'), 'The phone number is not in E.164 form.'],
    [
      { kind: 'unusable', reason: 'The line is not a JSON object.' },
      'The line is not a JSON object.',
    ],
  ])('%o is errored at once and says why', (line, reason) => {
    const order = rowOrder({ status: 'paused' }, line)
    expect(order).toMatchObject({ status: 'errored', dueAt: null, version: 1, attemptsMade: 0 })
    expect(rowProblem(order)).toBe(reason)
  })

  it('is not one that can', () => {
    expect(rowProblem(rowOrder())).toBeNull()
  })
})
