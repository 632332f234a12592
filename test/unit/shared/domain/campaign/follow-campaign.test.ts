import { expect, test } from 'vitest'

import type { CallOrder } from '#shared/domain/call-order/order.ts'
import {
  followCampaign,
  holdBack,
  type CampaignState,
} from '#shared/domain/campaign/follow-campaign.ts'
import { anOrder, aSummary, NOON } from '#test/support/an-order.ts'

const running: CampaignState = { status: 'running', isCancelled: false, deletedAt: null }
const CAMPAIGNS = {
  running,
  draft: { ...running, status: 'draft' },
  paused: { ...running, status: 'paused' },
  cancelled: { ...running, isCancelled: true },
  'cancelled while paused': { ...running, status: 'paused', isCancelled: true },
  deleted: { ...running, deletedAt: NOON },
} satisfies Record<string, CampaignState>

const tried = { attemptsMade: 1, lastAttempt: aSummary() }
const ORDERS = {
  queued: anOrder(),
  scheduled: anOrder({ status: 'scheduled', dueAt: NOON + 1 }),
  retry: anOrder({ status: 'scheduled', dueAt: NOON + 1, ...tried }),
  paused: anOrder({ status: 'paused', dueAt: null }),
  calling: anOrder({ status: 'calling', dueAt: null, attemptsMade: 1 }),
  'post-processing': anOrder({ status: 'post_processing', dueAt: null, ...tried }),
  completed: anOrder({ status: 'completed', dueAt: null, ...tried }),
  errored: anOrder({ status: 'errored', dueAt: null }),
} satisfies Record<string, CallOrder>

type Name = keyof typeof ORDERS
const WAITING: readonly Name[] = ['queued', 'scheduled', 'retry']

const outcomes: [keyof typeof CAMPAIGNS, Partial<Record<Name, string>>][] = [
  ['running', { paused: 'queued_for_calling' }],
  ['draft', { paused: 'queued_for_calling' }],
  ['paused', Object.fromEntries(WAITING.map((name) => [name, 'paused']))],
  ...(['cancelled', 'cancelled while paused', 'deleted'] as const).map(
    (name): [typeof name, Partial<Record<Name, string>>] => [
      name,
      Object.fromEntries([...WAITING, 'paused'].map((order) => [order, 'cancelled'])),
    ],
  ),
]

test.each(outcomes)('rows of a campaign that is %s', (campaign, expected) => {
  for (const [name, order] of Object.entries(ORDERS)) {
    const decision = followCampaign(order, CAMPAIGNS[campaign], NOON)
    const status = decision.kind === 'changed' ? decision.order.status : undefined
    expect([name, status]).toEqual([name, expected[name as Name]])
  }
})

test('holding back never lets a paused row go on', () => {
  expect(holdBack(ORDERS.paused, running, NOON).kind).toBe('ignored')
})

test('the rows of a campaign that is gone are cancelled', () => {
  expect(holdBack(ORDERS.retry, null, NOON)).toMatchObject({
    kind: 'changed',
    order: { status: 'cancelled' },
    effects: [{ kind: 'announce' }],
  })
})
