import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'

import {
  ATTEMPT_RESULTS,
  CALL_ATTEMPT_STATUSES,
  isLive,
  type CallAttempt,
  type CallAttemptStatus,
} from '#shared/domain/call-attempt/attempt.ts'
import { decideAttempt, type AttemptEvent } from '#shared/domain/call-attempt/decide.ts'
import { anAttempt } from '#test/support/an-attempt.ts'
import { NOON } from '#test/support/an-order.ts'

const LATER = NOON + 5_000
const LEASE = NOON + 60_000
const dialled = { dialStartedAt: NOON + 1_000, dialOwner: 'task_1' }
const answered = { ...dialled, status: 'ongoing', answeredAt: NOON + 2_000 } as const
const ended = { ...answered, endedAt: NOON + 4_000, leaseUntil: null }

const STATES = {
  unclaimed: anAttempt(),
  claimed: anAttempt(dialled),
  ringing: anAttempt({ ...dialled, status: 'ringing', ringingAt: NOON + 1_500 }),
  answered: anAttempt(answered),
  adopted: anAttempt({ ...answered, fence: 1, handledByAi: true, leaseUntil: NOON + 90_000 }),
  completed: anAttempt({ ...ended, fence: 1, status: 'completed', result: 'human' }),
  failed: anAttempt({ ...dialled, endedAt: NOON, leaseUntil: null, status: 'error' }),
}

type State = keyof typeof STATES

const BUSY = { sipCode: 486, reason: null, q850: null, endedBy: 'callee' } as const

const EVENTS = {
  claimed: { type: 'claimed', owner: 'task_2', leaseUntil: LEASE },
  placed: { type: 'placed', carrierCallId: 'CA1', leaseUntil: LEASE },
  ringing: { type: 'ringing', at: LATER },
  answered: { type: 'answered', at: LATER, leaseUntil: LEASE },
  adopted: { type: 'adopted', leaseUntil: LEASE },
  carrierEnded: { type: 'carrierEnded', at: LATER, cause: BUSY, graceUntil: LEASE },
  sessionEnded: {
    type: 'sessionEnded',
    fence: 1,
    at: LATER,
    result: 'human',
    endedBy: 'user',
    endReason: null,
    transcript: [{ role: 'user', content: 'Goodbye.' }],
    speechEvents: [],
    recordingKey: 'recordings/1',
  },
  refused: { type: 'refused', cause: BUSY },
  leaseExpired: { type: 'leaseExpired' },
  withdrawn: { type: 'withdrawn' },
  concluded: { type: 'concluded', structuredOutput: { budget: 3 } },
} satisfies Record<string, AttemptEvent>

/** What each event makes of each state; in every other state it is ignored. */
const TABLE: readonly [keyof typeof EVENTS, Partial<Record<State, Partial<CallAttempt>>>][] = [
  [
    'claimed',
    {
      unclaimed: { status: 'queued', dialStartedAt: LATER, dialOwner: 'task_2', leaseUntil: LEASE },
    },
  ],
  [
    'placed',
    {
      claimed: { status: 'queued', carrierCallId: 'CA1', leaseUntil: LEASE },
      ringing: { status: 'ringing', carrierCallId: 'CA1', leaseUntil: LEASE },
      answered: { status: 'ongoing', carrierCallId: 'CA1', leaseUntil: NOON + 30_000 },
      adopted: { status: 'ongoing', carrierCallId: 'CA1', leaseUntil: NOON + 90_000 },
    },
  ],
  ['ringing', { claimed: { status: 'ringing', ringingAt: LATER } }],
  [
    'answered',
    {
      claimed: { status: 'ongoing', answeredAt: LATER, leaseUntil: LEASE },
      ringing: { status: 'ongoing', answeredAt: LATER, leaseUntil: LEASE },
    },
  ],
  [
    'adopted',
    {
      claimed: { status: 'ongoing', answeredAt: LATER, fence: 1, handledByAi: true },
      ringing: { status: 'ongoing', answeredAt: LATER, fence: 1, handledByAi: true },
      answered: { status: 'ongoing', answeredAt: NOON + 2_000, fence: 1, leaseUntil: LEASE },
      adopted: { status: 'ongoing', answeredAt: NOON + 2_000, fence: 2, leaseUntil: LEASE },
    },
  ],
  [
    'carrierEnded',
    {
      claimed: { status: 'error', dialError: 'busy', result: null, endedAt: LATER, endedBy: null },
      ringing: { status: 'error', dialError: 'busy', result: null, endedAt: LATER, endedBy: null },
      answered: { status: 'completed', dialError: null, result: 'unknown', endedBy: 'system' },
      adopted: { status: 'ongoing', leaseUntil: LEASE, endedAt: null },
    },
  ],
  [
    'sessionEnded',
    {
      adopted: {
        status: 'completed',
        result: 'human',
        endedBy: 'user',
        endedAt: LATER,
        transcript: [{ role: 'user', content: 'Goodbye.' }],
        recordingKey: 'recordings/1',
      },
    },
  ],
  [
    'refused',
    {
      claimed: { status: 'error', dialError: 'busy', result: null, endedAt: LATER },
      ringing: { status: 'error', dialError: 'busy', result: null, endedAt: LATER },
    },
  ],
  [
    'leaseExpired',
    {
      unclaimed: { status: 'error', dialError: 'non_classified_error', result: null },
      claimed: { status: 'error', dialError: 'non_classified_error', result: null },
      ringing: { status: 'error', dialError: 'non_classified_error', result: null },
      answered: { status: 'completed', dialError: null, result: 'unknown', endedBy: 'system' },
      adopted: { status: 'completed', dialError: null, result: 'unknown', endedBy: 'system' },
    },
  ],
  ['withdrawn', { unclaimed: { status: 'error', dialError: 'precondition_failed', result: null } }],
  [
    'concluded',
    {
      completed: { status: 'completed', structuredOutput: { budget: 3 }, concludedAt: LATER },
      failed: { status: 'error', structuredOutput: { budget: 3 }, concludedAt: LATER },
    },
  ],
]

describe.each(TABLE)('%s', (type, changes) => {
  test.each(Object.keys(STATES) as State[])('when %s', (state) => {
    const attempt = STATES[state]
    const decision = decideAttempt(attempt, EVENTS[type], LATER)
    const expected = changes[state]
    if (expected === undefined) {
      expect(decision).toEqual({ kind: 'ignored', reason: expect.any(String) })
      return
    }
    expect(decision).toMatchObject({ kind: 'changed', attempt: { ...expected, version: 2 } })
    if (decision.kind === 'ignored') return
    const { attempt: next, ended } = decision
    expect(ended !== null).toBe(attempt.endedAt === null && next.endedAt !== null)
    expect(next.leaseUntil === null).toBe(next.endedAt !== null)
  })
})

describe('what the order hears of an end', () => {
  it('began with the dial', () => {
    expect(decideAttempt(STATES.adopted, EVENTS.sessionEnded, LATER)).toMatchObject({
      ended: {
        number: 1,
        startedAt: NOON + 1_000,
        endedAt: LATER,
        result: 'human',
        dialError: null,
      },
    })
  })

  it('began with the admission when nobody dialled', () => {
    expect(decideAttempt(STATES.unclaimed, EVENTS.withdrawn, LATER)).toMatchObject({
      ended: { startedAt: NOON, endedAt: LATER, dialError: 'precondition_failed' },
    })
  })
})

describe('a report', () => {
  it('of a session that lost the call is stale', () => {
    const adopted = { ...STATES.adopted, fence: 2 }
    expect(decideAttempt(adopted, EVENTS.sessionEnded, LATER).kind).toBe('ignored')
    expect(decideAttempt(adopted, { ...EVENTS.sessionEnded, fence: 3 }, LATER).kind).toBe('ignored')
    expect(decideAttempt(adopted, { ...EVENTS.sessionEnded, fence: 2 }, LATER).kind).toBe('changed')
  })

  it('without a result is unknown', () => {
    const event = { ...EVENTS.sessionEnded, result: null }
    expect(decideAttempt(STATES.adopted, event, LATER)).toMatchObject({
      attempt: { result: 'unknown' },
    })
  })

  it('by a wrong clock stays between what came before and now', () => {
    const at = (time: number) => {
      const decision = decideAttempt(STATES.adopted, { ...EVENTS.sessionEnded, at: time }, LATER)
      return decision.kind === 'changed' ? decision.attempt.endedAt : null
    }
    expect(at(0)).toBe(NOON + 2_000)
    expect(at(NOON + 3_000)).toBe(NOON + 3_000)
    expect(at(LATER + 60_000)).toBe(LATER)
  })

  it('that the carrier ended the call does not prolong the lease', () => {
    const event = { ...EVENTS.carrierEnded, graceUntil: NOON + 120_000 }
    expect(decideAttempt(STATES.adopted, event, LATER).kind).toBe('ignored')
  })

  it('of the same dial is taken once', () => {
    const placed = anAttempt({ ...dialled, carrierCallId: 'CA1' })
    expect(decideAttempt(placed, EVENTS.placed, LATER).kind).toBe('ignored')
    const concluded = { ...STATES.completed, concludedAt: NOON }
    expect(decideAttempt(concluded, EVENTS.concluded, LATER).kind).toBe('ignored')
  })
})

it('goes forward only, ends once, and keeps what it knows, under any sequence of events', () => {
  const order = (status: CallAttemptStatus) => CALL_ATTEMPT_STATUSES.indexOf(status)
  const anyEvent: fc.Arbitrary<AttemptEvent> = fc
    .record({
      event: fc.constantFrom(...Object.values(EVENTS)),
      at: fc.integer({ min: NOON - 10_000, max: NOON + 100_000 }),
      fence: fc.integer({ min: 0, max: 3 }),
      result: fc.option(fc.constantFrom(...ATTEMPT_RESULTS)),
    })
    .map(({ event, ...values }) =>
      event.type === 'sessionEnded'
        ? { ...event, ...values }
        : 'at' in event
          ? { ...event, at: values.at }
          : event,
    )
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 30 }), (events) => {
      let attempt = anAttempt()
      let ends = 0
      let now = NOON
      for (const event of events) {
        now += 700
        const decision = decideAttempt(attempt, event, now)
        if (decision.kind === 'ignored') continue
        const next = decision.attempt
        if (decision.ended !== null) {
          ends += 1
          expect(decision.ended.endedAt).toBeGreaterThanOrEqual(decision.ended.startedAt)
          expect((next.status === 'error') === (next.dialError !== null)).toBe(true)
          expect((next.status === 'completed') === (next.result !== null)).toBe(true)
        }
        expect(next.version).toBe(attempt.version + 1)
        expect(order(next.status)).toBeGreaterThanOrEqual(order(attempt.status))
        if (!isLive(attempt)) expect(next.status).toBe(attempt.status)
        expect(next.fence).toBeGreaterThanOrEqual(attempt.fence)
        if (attempt.dialStartedAt !== null) expect(next.dialOwner).toBe(attempt.dialOwner)
        if (attempt.answeredAt !== null) expect(next.answeredAt).toBe(attempt.answeredAt)
        expect(next.leaseUntil === null).toBe(!isLive(next))
        attempt = next
      }
      expect(ends).toBe(isLive(attempt) ? 0 : 1)
    }),
    { numRuns: 1000 },
  )
})
