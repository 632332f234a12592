import { describe, expect, it, test } from 'vitest'

import { decideOrder, newCallOrder, type OrderEvent } from '#shared/domain/call-order/decide.ts'
import {
  CALL_ORDER_STATUSES,
  FINAL_STATUSES,
  type CallOrder,
  type CallOrderStatus,
} from '#shared/domain/call-order/order.ts'
import { DEFAULT_CALL_RETRY_CONFIG } from '#shared/domain/retry/call-retry-config.ts'
import { anOrder, aSummary, NOON, ORDER_INPUT } from '#test/support/an-order.ts'

const HOUR = 3_600_000

/** An order in a status, with one attempt behind it or going on, except before any was possible. */
function orderIn(status: CallOrderStatus): CallOrder {
  const isUnprepared = status === 'initializing' || status === 'not_launched'
  const isDue = status === 'scheduled' || status === 'queued_for_calling'
  return anOrder({
    status,
    dueAt: isDue ? NOON : null,
    attemptsMade: isUnprepared ? 0 : 1,
    lastAttempt: isUnprepared || status === 'calling' ? null : aSummary(),
    isAnnounced: FINAL_STATUSES.has(status),
  })
}

function changed(order: CallOrder, event: OrderEvent, now = NOON) {
  const decision = decideOrder(order, event, now)
  if (decision.kind === 'ignored') throw new Error(`ignored: ${decision.reason}`)
  return decision
}

const ADMITTED: OrderEvent = { type: 'admitted', fromPhoneNumber: '+12025550199' }
const CONCLUDED: OrderEvent = { type: 'attemptConcluded', outcome: null, outcomeSummary: null }
const ENDED: OrderEvent = { type: 'attemptEnded', attempt: aSummary() }
const ANNOUNCE = { kind: 'announce', event: 'call.completed', orderId: 'call_1' }

/** From which status to which; from every other status the event is ignored. */
const TABLE: readonly [OrderEvent, Partial<Record<CallOrderStatus, CallOrderStatus>>][] = [
  [ADMITTED, { scheduled: 'calling', queued_for_calling: 'calling' }],
  [
    { type: 'deferred', dueAt: NOON + HOUR },
    {
      initializing: 'scheduled',
      not_launched: 'scheduled',
      scheduled: 'scheduled',
      queued_for_calling: 'scheduled',
    },
  ],
  [
    { type: 'due' },
    {
      initializing: 'queued_for_calling',
      not_launched: 'queued_for_calling',
      scheduled: 'queued_for_calling',
    },
  ],
  [
    { type: 'blocked', by: 'KEY#org_1#shop' },
    { scheduled: 'queued_for_calling', queued_for_calling: 'queued_for_calling' },
  ],
  [{ type: 'unblocked' }, {}],
  [ENDED, { calling: 'post_processing' }],
  [CONCLUDED, { post_processing: 'scheduled' }],
  [
    { type: 'pause' },
    {
      initializing: 'paused',
      not_launched: 'paused',
      scheduled: 'paused',
      queued_for_calling: 'paused',
      calling: 'calling',
      post_processing: 'post_processing',
    },
  ],
  [{ type: 'resume' }, { paused: 'scheduled' }],
  [
    { type: 'cancel' },
    {
      initializing: 'cancelled',
      not_launched: 'cancelled',
      scheduled: 'cancelled',
      queued_for_calling: 'cancelled',
      paused: 'cancelled',
      calling: 'cancelled',
      post_processing: 'cancelled',
    },
  ],
  [
    { type: 'prospectCalledBack' },
    {
      scheduled: 'cancelled',
      queued_for_calling: 'cancelled',
      paused: 'cancelled',
      post_processing: 'cancelled',
    },
  ],
  [
    { type: 'fault' },
    {
      initializing: 'errored',
      not_launched: 'errored',
      scheduled: 'errored',
      queued_for_calling: 'errored',
      paused: 'errored',
      calling: 'errored',
      post_processing: 'errored',
    },
  ],
  [
    { type: 'refused' },
    {
      initializing: 'errored',
      not_launched: 'errored',
      scheduled: 'errored',
      queued_for_calling: 'errored',
    },
  ],
]

describe.each(TABLE)('$type', (event, transitions) => {
  test.each(CALL_ORDER_STATUSES)('from %s', (status) => {
    const order = orderIn(status)
    const decision = decideOrder(order, event, NOON)
    const expected = transitions[status]
    if (expected === undefined) {
      expect(decision).toEqual({ kind: 'ignored', reason: expect.any(String) })
      return
    }
    expect(decision).toMatchObject({
      kind: 'changed',
      order: { status: expected, version: order.version + 1, updatedAt: NOON },
    })
    expect(order).toEqual(orderIn(status))
  })
})

describe('a new order', () => {
  it('is queued when it may be called at once', () => {
    const { order, effects } = newCallOrder(ORDER_INPUT, NOON)
    expect(order).toMatchObject({ version: 1, status: 'queued_for_calling', dueAt: NOON })
    expect(effects).toEqual([{ kind: 'wakeScope', scope: 'ORG#org_1', at: NOON }])
  })

  it('is scheduled when its time or its window is ahead', () => {
    const scheduledAt = NOON + HOUR
    const later = newCallOrder({ ...ORDER_INPUT, scheduledAt }, NOON)
    expect(later.order).toMatchObject({ status: 'scheduled', dueAt: scheduledAt })
    expect(later.effects).toEqual([{ kind: 'wakeScope', scope: 'ORG#org_1', at: scheduledAt }])
    const retryConfig = DEFAULT_CALL_RETRY_CONFIG
    const closed = newCallOrder({ ...ORDER_INPUT, retryConfig }, NOON)
    expect(closed.order).toMatchObject({ status: 'scheduled', dueAt: NOON + 3 * HOUR })
    const forced = newCallOrder({ ...ORDER_INPUT, retryConfig, forceNow: true }, NOON)
    expect(forced.order).toMatchObject({ status: 'queued_for_calling', dueAt: NOON })
  })

  it('keeps only the likeliest zone when windows never open in all', () => {
    const { order } = newCallOrder(
      {
        ...ORDER_INPUT,
        retryConfig: DEFAULT_CALL_RETRY_CONFIG,
        timeZones: ['Pacific/Honolulu', 'Asia/Dubai'],
        warnings: ['first'],
      },
      NOON,
    )
    expect(order.timeZones).toEqual(['Pacific/Honolulu'])
    expect(order.warnings).toEqual(['first', expect.stringContaining('Pacific/Honolulu')])
  })

  it('that came in is in its only call already, and nobody is called back for it', () => {
    const callbackFrom = { callId: 'call_0', createdAt: NOON }
    const input = { ...ORDER_INPUT, direction: 'inbound', callbackFrom } as const
    const { order, effects } = newCallOrder(input, NOON)
    expect(order).toMatchObject({ status: 'calling', attemptsMade: 1, dueAt: null, callbackFrom })
    expect(effects).toEqual([])
    const ended = changed(order, {
      type: 'attemptEnded',
      attempt: aSummary({ result: 'unknown', dialError: null }),
    })
    const over = changed(ended.order, CONCLUDED)
    expect(over.order.status).toBe('completed')
    expect(over.effects).toEqual([ANNOUNCE])
  })
})

describe('an admission', () => {
  it('counts the attempt and fixes the number it is made from', () => {
    const { order, effects } = changed(orderIn('scheduled'), ADMITTED)
    expect(order).toMatchObject({
      attemptsMade: 2,
      dueAt: null,
      fromPhoneNumber: '+12025550199',
    })
    expect(effects).toEqual([])
  })

  test.each<[string, Partial<CallOrder>]>([
    ['not due yet', { dueAt: NOON + 1 }],
    ['attempts spent', { attemptsMade: 3 }],
    ['calling window closed', { retryConfig: DEFAULT_CALL_RETRY_CONFIG }],
    ['calling window closed', { retryConfig: DEFAULT_CALL_RETRY_CONFIG, forceNow: true }],
  ])('is ignored: %s', (reason, changes) => {
    const order = { ...orderIn('scheduled'), ...changes }
    expect(decideOrder(order, ADMITTED, NOON)).toEqual({ kind: 'ignored', reason })
  })

  it('of a forced first attempt ignores the windows', () => {
    const order = anOrder({ retryConfig: DEFAULT_CALL_RETRY_CONFIG, forceNow: true })
    expect(changed(order, ADMITTED).order.status).toBe('calling')
  })
})

describe('waiting', () => {
  it('wakes the scope whenever it begins', () => {
    const wake = (at: number) => [{ kind: 'wakeScope', scope: 'ORG#org_1', at }]
    const deferred: OrderEvent = { type: 'deferred', dueAt: NOON + HOUR }
    expect(changed(orderIn('scheduled'), deferred).effects).toEqual(wake(NOON + HOUR))
    expect(changed(orderIn('post_processing'), CONCLUDED).effects).toEqual(wake(NOON + 60_000))
    expect(changed(orderIn('paused'), { type: 'resume' }).effects).toEqual(wake(NOON + 60_000))
    expect(changed(orderIn('initializing'), { type: 'due' }).effects).toEqual(wake(NOON))
    expect(changed(orderIn('scheduled'), { type: 'due' }).effects).toEqual([])
  })

  it('does not become due before its time', () => {
    const order = { ...orderIn('scheduled'), dueAt: NOON + 1 }
    expect(decideOrder(order, { type: 'due' }, NOON).kind).toBe('ignored')
  })

  it('is queued when the retry is due by now', () => {
    const { order } = changed(orderIn('post_processing'), CONCLUDED, NOON + HOUR)
    expect(order).toMatchObject({ status: 'queued_for_calling', dueAt: NOON + HOUR })
  })

  it('is planned afresh after a pause, not before the scheduled time', () => {
    const order = anOrder({ status: 'paused', dueAt: null, scheduledAt: NOON + 2 * HOUR })
    expect(changed(order, { type: 'resume' }, NOON + HOUR).order).toMatchObject({
      status: 'scheduled',
      dueAt: NOON + 2 * HOUR,
    })
  })
})

describe('an ended attempt', () => {
  it('is recorded and to be concluded', () => {
    const { order, effects } = changed(orderIn('calling'), ENDED)
    expect(order.lastAttempt).toEqual(aSummary())
    expect(effects).toEqual([{ kind: 'concludeAttempt', orderId: 'call_1', number: 1 }])
  })

  it('is ignored when it is another one', () => {
    const order = { ...orderIn('calling'), attemptsMade: 2, lastAttempt: aSummary() }
    expect(decideOrder(order, ENDED, NOON).kind).toBe('ignored')
  })
})

describe('the end', () => {
  test.each([
    ['reached', { result: 'human', dialError: null }, 1, 'completed'],
    ['attempts spent', {}, 3, 'completed'],
    ['number not attributed', { dialError: 'number_non_attributed' }, 1, 'errored'],
  ] as const)('%s', (_, attempt, attemptsMade, status) => {
    const lastAttempt = aSummary({ ...attempt, number: attemptsMade })
    const order = { ...orderIn('post_processing'), attemptsMade, lastAttempt }
    const { order: final, effects } = changed(order, {
      type: 'attemptConcluded',
      outcome: 'interested',
      outcomeSummary: 'Wants an offer.',
    })
    expect(final).toMatchObject({
      status,
      outcome: 'interested',
      outcomeSummary: 'Wants an offer.',
      isAnnounced: true,
    })
    expect(effects).toEqual([ANNOUNCE])
  })

  it('says why when the prospect called back', () => {
    const { order, effects } = changed(orderIn('scheduled'), { type: 'prospectCalledBack' })
    expect(order).toMatchObject({ cancelReason: 'prospect_called_back', dueAt: null })
    expect(effects).toEqual([ANNOUNCE])
    const fresh = anOrder()
    expect(decideOrder(fresh, { type: 'prospectCalledBack' }, NOON).kind).toBe('ignored')
  })

  it('is announced only after an attempt', () => {
    expect(changed(orderIn('scheduled'), { type: 'cancel' }).effects).toEqual([ANNOUNCE])
    expect(changed(orderIn('paused'), { type: 'cancel' }).effects).toEqual([ANNOUNCE])
    expect(changed(anOrder(), { type: 'cancel' }).effects).toEqual([])
    expect(changed(anOrder(), { type: 'refused' }).effects).toEqual([])
    expect(changed(anOrder(), { type: 'fault' }).effects).toEqual([])
  })
})

describe('the end during a call', () => {
  test.each([
    ['cancel', 'cancelled'],
    ['fault', 'errored'],
  ] as const)('%s: the call is concluded, announced once, and not retried', (type, status) => {
    const stopped = changed(orderIn('calling'), { type })
    expect(stopped.order).toMatchObject({ status, isAnnounced: false })
    expect(stopped.effects).toEqual([])
    const ended = changed(stopped.order, ENDED)
    expect(ended.order).toMatchObject({ status, lastAttempt: aSummary() })
    expect(ended.effects).toEqual([{ kind: 'concludeAttempt', orderId: 'call_1', number: 1 }])
    const concluded = changed(ended.order, {
      type: 'attemptConcluded',
      outcome: 'completed',
      outcomeSummary: 'Done.',
    })
    expect(concluded.order).toMatchObject({ status, outcome: 'completed', outcomeSummary: 'Done.' })
    expect(concluded.effects).toEqual([ANNOUNCE])
    for (const late of [ENDED, CONCLUDED, { type: 'fault' } as const]) {
      expect(decideOrder(concluded.order, late, NOON).kind).toBe('ignored')
    }
  })

  it('cancel in post-processing waits for the conclusion', () => {
    const cancelled = changed(orderIn('post_processing'), { type: 'cancel' })
    expect(cancelled.effects).toEqual([])
    expect(changed(cancelled.order, CONCLUDED).effects).toEqual([ANNOUNCE])
  })

  it('a fault in post-processing is announced at once, also after a cancel', () => {
    expect(changed(orderIn('post_processing'), { type: 'fault' }).effects).toEqual([ANNOUNCE])
    const cancelled = changed(orderIn('post_processing'), { type: 'cancel' })
    const given = changed(cancelled.order, { type: 'fault' })
    expect(given.order.status).toBe('cancelled')
    expect(given.effects).toEqual([ANNOUNCE])
  })

  it('is not concluded before the attempt has ended', () => {
    const cancelled = changed(orderIn('calling'), { type: 'cancel' })
    expect(decideOrder(cancelled.order, CONCLUDED, NOON).kind).toBe('ignored')
  })
})

describe('a pause during a call', () => {
  const asked = changed(orderIn('calling'), { type: 'pause' }).order

  it('takes effect before the next attempt', () => {
    expect(asked).toMatchObject({ status: 'calling', pauseRequested: true })
    const ended = changed(asked, ENDED).order
    const paused = changed(ended, CONCLUDED)
    expect(paused.order).toMatchObject({ status: 'paused', pauseRequested: false, dueAt: null })
    expect(paused.effects).toEqual([])
  })

  it('is asked for once and can be withdrawn', () => {
    expect(decideOrder(asked, { type: 'pause' }, NOON).kind).toBe('ignored')
    expect(changed(asked, { type: 'resume' }).order.pauseRequested).toBe(false)
  })

  it('does not hold up an end', () => {
    const lastAttempt = aSummary({ result: 'human', dialError: null })
    const order = { ...orderIn('post_processing'), pauseRequested: true, lastAttempt }
    expect(changed(order, CONCLUDED).order).toMatchObject({
      status: 'completed',
      pauseRequested: false,
    })
  })
})

describe('an order that a permit of its own holds up', () => {
  const blocked = { type: 'blocked', by: 'KEY#org_1#shop' } as const
  const order = anOrder({ status: 'queued_for_calling', dueAt: NOON })

  it('waits there, due since when it was due, and waits with its scope again when there is room', () => {
    const { order: waiting, effects } = changed(order, blocked, NOON + 1)
    expect(waiting).toMatchObject({ blockedBy: blocked.by, dueAt: NOON })
    expect(effects).toEqual([])
    expect(decideOrder(waiting, blocked, NOON + 2).kind).toBe('ignored')
    const next = changed(waiting, { type: 'unblocked' }, NOON + 3)
    expect(next.order).toMatchObject({ blockedBy: null, dueAt: NOON })
    expect(next.effects).toEqual([{ kind: 'wakeScope', scope: order.scope, at: NOON + 3 }])
  })

  it('waits there no longer after any other change', () => {
    const { order: waiting } = changed(order, blocked)
    const events: OrderEvent[] = [{ type: 'pause' }, { type: 'cancel' }, ADMITTED]
    for (const event of events) expect(changed(waiting, event).order.blockedBy).toBeNull()
  })
})
