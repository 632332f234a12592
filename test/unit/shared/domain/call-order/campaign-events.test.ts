import { describe, expect, it } from 'vitest'

import { decideOrder, type OrderEvent } from '#shared/domain/call-order/decide.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { anOrder, aSummary, NOON } from '#test/support/an-order.ts'

const calling = anOrder({
  status: 'calling',
  dueAt: null,
  attemptsMade: 2,
  lastAttempt: aSummary(),
})

function changed(order: CallOrder, event: OrderEvent): CallOrder {
  const decision = decideOrder(order, event, NOON + 1)
  if (decision.kind === 'ignored') throw new Error(decision.reason)
  return decision.order
}

describe('an admission that is taken back', () => {
  it('leaves the order as if it had not been admitted', () => {
    expect(changed(calling, { type: 'takenBack' })).toMatchObject({
      status: 'queued_for_calling',
      attemptsMade: 1,
      lastAttempt: calling.lastAttempt,
      dueAt: NOON + 1,
      version: calling.version + 1,
    })
  })

  it('pauses an order that was to pause', () => {
    const order = changed({ ...calling, pauseRequested: true }, { type: 'takenBack' })
    expect(order).toMatchObject({ status: 'paused', attemptsMade: 1, pauseRequested: false })
  })

  it('is nothing to an order that is not calling', () => {
    for (const status of ['queued_for_calling', 'post_processing', 'cancelled'] as const) {
      const decision = decideOrder({ ...calling, status }, { type: 'takenBack' }, NOON)
      expect(decision.kind).toBe('ignored')
    }
  })
})

describe('the visual number', () => {
  const attempt = aSummary({ number: 2, result: 'human', dialError: null })

  it('comes with the first human and stays', () => {
    const reached = changed(calling, { type: 'attemptEnded', attempt, visualNumber: 5 })
    expect(reached.visualNumber).toBe(5)
    const numbered = { ...calling, visualNumber: 3 }
    const again = changed(numbered, { type: 'attemptEnded', attempt, visualNumber: 6 })
    expect(again.visualNumber).toBe(3)
  })

  it('is null without one', () => {
    expect(changed(calling, { type: 'attemptEnded', attempt }).visualNumber).toBeNull()
  })
})
