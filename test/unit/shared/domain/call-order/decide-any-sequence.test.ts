import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { OUTCOMES } from '#shared/domain/assistant.ts'
import { ATTEMPT_RESULTS, DIAL_ERRORS } from '#shared/domain/call-attempt/attempt.ts'
import { decideOrder, newCallOrder, type OrderEvent } from '#shared/domain/call-order/decide.ts'
import { FINAL_STATUSES, type CallOrder } from '#shared/domain/call-order/order.ts'
import { ALWAYS, NOON, ORDER_INPUT } from '#test/support/an-order.ts'

type Move =
  | OrderEvent['type']
  /** What the dispatcher and the runtime do when all goes well. */
  | 'wait until due'

const anyMove = fc.constantFrom<Move>(
  ...(['wait until due', 'admitted', 'attemptEnded', 'attemptConcluded'] as const),
  ...(['wait until due', 'admitted', 'attemptEnded', 'attemptConcluded'] as const),
  ...(['deferred', 'due', 'pause', 'resume', 'resume', 'cancel', 'fault', 'refused'] as const),
  ...(['prospectCalledBack', 'blocked', 'unblocked'] as const),
)

const anyStep = fc.record({
  move: anyMove,
  number: fc.integer({ min: 1, max: 4 }),
  isCurrent: fc.boolean(),
  result: fc.option(fc.constantFrom(...ATTEMPT_RESULTS)),
  dialError: fc.constantFrom(...DIAL_ERRORS),
  outcome: fc.option(fc.constantFrom(...OUTCOMES)),
  delayMs: fc.integer({ min: 0, max: 100_000 }),
})

type AnyStep = typeof anyStep extends fc.Arbitrary<infer S> ? S : never

function eventOf(
  step: AnyStep,
  type: OrderEvent['type'],
  order: CallOrder,
  now: number,
): OrderEvent {
  const number = step.isCurrent ? order.attemptsMade : step.number
  const { result, dialError, outcome, delayMs } = step
  switch (type) {
    case 'admitted':
      return { type, fromPhoneNumber: '+12025550199' }
    case 'deferred':
      return { type, dueAt: now + delayMs }
    case 'blocked':
      return { type, by: 'KEY#org_1#shop' }
    case 'attemptEnded':
      return { type, attempt: { number, startedAt: now, endedAt: now, result, dialError } }
    case 'attemptConcluded':
      return { type, outcome, outcomeSummary: null }
    default:
      return { type }
  }
}

it('holds every promise under any sequence of events', () => {
  const anyMax = fc.integer({ min: 1, max: 4 })
  fc.assert(
    fc.property(anyMax, fc.array(anyStep, { maxLength: 40 }), (maxRetryAttempts, steps) => {
      const retryConfig = { ...ALWAYS, maxRetryAttempts }
      let { order } = newCallOrder({ ...ORDER_INPUT, retryConfig }, NOON)
      let now = NOON
      let announcements = 0
      for (const step of steps) {
        if (step.move === 'wait until due') {
          now = Math.max(now, order.dueAt ?? now)
          continue
        }
        now += 10
        const decision = decideOrder(order, eventOf(step, step.move, order, now), now)
        if (decision.kind === 'ignored') continue
        const next = decision.order
        announcements += decision.effects.filter(({ kind }) => kind === 'announce').length
        expect(next.version).toBe(order.version + 1)
        if (FINAL_STATUSES.has(order.status)) expect(next.status).toBe(order.status)
        if (next.attemptsMade > order.attemptsMade) expect(next.status).toBe('calling')
        expect(next.attemptsMade).toBeGreaterThanOrEqual(order.attemptsMade)
        expect(next.attemptsMade).toBeLessThanOrEqual(maxRetryAttempts)
        const isPlanned = next.status === 'scheduled' || next.status === 'queued_for_calling'
        expect(next.dueAt !== null).toBe(isPlanned)
        if (next.blockedBy !== null) {
          expect(next.status).toBe('queued_for_calling')
          expect(next.dueAt).toBeLessThanOrEqual(now)
        }
        const wakes = decision.effects.filter(({ kind }) => kind === 'wakeScope')
        if (next.dueAt !== null && next.dueAt !== order.dueAt) {
          expect(wakes).toEqual([{ kind: 'wakeScope', scope: order.scope, at: next.dueAt }])
        }
        expect(announcements).toBe(next.isAnnounced ? 1 : 0)
        if (next.isAnnounced) expect(FINAL_STATUSES.has(next.status)).toBe(true)
        order = next
      }
      expect(announcementsOfTheEnd(order, now) + announcements).toBe(order.attemptsMade > 0 ? 1 : 0)
    }),
    { numRuns: 1000 },
  )
})

/** Ends what is left, and counts how often it is announced by that. */
function announcementsOfTheEnd(order: CallOrder, now: number): number {
  const { attemptsMade: number } = order
  const attempt = { number, startedAt: now, endedAt: now, result: null, dialError: null }
  const closing: OrderEvent[] = [
    { type: 'cancel' },
    { type: 'attemptEnded', attempt },
    { type: 'attemptConcluded', outcome: null, outcomeSummary: null },
  ]
  let last = order
  let announcements = 0
  for (const event of closing) {
    const decision = decideOrder(last, event, now)
    if (decision.kind === 'ignored') continue
    last = decision.order
    announcements += decision.effects.filter(({ kind }) => kind === 'announce').length
  }
  expect(FINAL_STATUSES.has(last.status)).toBe(true)
  return announcements
}
