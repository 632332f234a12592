import * as fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, it, test } from 'vitest'

import { ATTEMPT_RESULTS, DIAL_ERRORS } from '#shared/domain/call-attempt/attempt.ts'
import { DEFAULT_CALL_RETRY_CONFIG } from '#shared/domain/retry/call-retry-config.ts'
import { windowAt } from '#shared/domain/retry/calling-windows.ts'
import { planFirstAttempt, planNextAttempt } from '#shared/domain/retry/plan-next-attempt.ts'
import { LAST_MOMENT } from '#shared/domain/time.ts'
import { ALWAYS, aSummary, NOON } from '#test/support/an-order.ts'

import { anyConfig, anyMoment, anyZone, isOpenByTemporal, nextQuarter } from './plain-windows.ts'

const utc = (text: string) => Temporal.Instant.from(text).epochMilliseconds
const zones = ['UTC']

describe('the first attempt', () => {
  const config = DEFAULT_CALL_RETRY_CONFIG
  const saturday = utc('2026-01-17T12:00Z')

  it('waits for a window', () => {
    const dueAt = planFirstAttempt({ config, zones, notBefore: saturday, forceNow: false })
    expect(dueAt).toBe(utc('2026-01-19T10:00Z'))
  })

  it('does not when it is forced', () => {
    const dueAt = planFirstAttempt({ config, zones, notBefore: saturday, forceNow: true })
    expect(dueAt).toBe(saturday)
  })

  it('is put off for a year when no window ever opens', () => {
    const never = { ...config, allowedDays: [] }
    const dueAt = planFirstAttempt({ config: never, zones, notBefore: NOON, forceNow: false })
    expect(dueAt).toBe(NOON + 366 * 86_400_000)
  })
})

describe('what is retried', () => {
  const plan = (last: Partial<Parameters<typeof aSummary>[0]>, attemptsMade = 1) =>
    planNextAttempt({
      config: ALWAYS,
      zones,
      last: aSummary({ number: attemptsMade, ...last }),
      attemptsMade,
      now: NOON,
    })
  const permanent = new Set([
    'number_non_attributed',
    'no_international_permission',
    'precondition_failed',
  ])

  test.each(DIAL_ERRORS)('dial error %s', (dialError) => {
    const isPermanent = permanent.has(dialError)
    const retry = { kind: 'retry', dueAt: NOON + 60_000 }
    const resolved = { kind: 'resolved', reason: 'not_retryable' }
    expect(plan({ dialError })).toEqual(isPermanent ? { ...resolved, status: 'errored' } : retry)
    expect(plan({ dialError }, 2)).toEqual(
      isPermanent ? { ...resolved, status: 'completed' } : retry,
    )
  })

  test.each(ATTEMPT_RESULTS)('result %s', (result) => {
    expect(plan({ result, dialError: null })).toEqual(
      result === 'human'
        ? { kind: 'resolved', reason: 'reached', status: 'completed' }
        : { kind: 'retry', dueAt: NOON + 60_000 },
    )
  })

  it('ends with the last attempt', () => {
    expect(plan({}, 2).kind).toBe('retry')
    const spent = { kind: 'resolved', reason: 'attempts_spent', status: 'completed' }
    expect(plan({}, 3)).toEqual(spent)
    expect(plan({}, 4)).toEqual(spent)
  })
})

describe('when it is retried', () => {
  const delays = {
    ...ALWAYS,
    callingWindows: [
      { callingWindowStartTime: '10:00', callingWindowEndTime: '12:00', retryDelaySeconds: 3600 },
      { callingWindowStartTime: '12:00', callingWindowEndTime: '18:00', retryDelaySeconds: 1800 },
    ],
  }
  const due = (startedAt: string, config = delays, attemptsMade = 1) => {
    const last = aSummary({ startedAt: utc(startedAt), endedAt: utc(startedAt) + 60_000 })
    const next = planNextAttempt({ config, zones, last, attemptsMade, now: last.endedAt })
    return next.kind === 'retry' ? next.dueAt : null
  }

  it('after the delay of the window in which the last attempt started', () => {
    expect(due('2026-01-14T11:59:30Z')).toBe(utc('2026-01-14T13:00:30Z'))
    expect(due('2026-01-14T12:00:00Z')).toBe(utc('2026-01-14T12:31:00Z'))
  })

  it('after the first window’s delay when it started outside of all', () => {
    expect(due('2026-01-14T09:30:00Z')).toBe(utc('2026-01-14T10:31:00Z'))
  })

  it('in the next window when the delay ends outside of all', () => {
    expect(due('2026-01-14T17:45:00Z')).toBe(utc('2026-01-15T10:00:00Z'))
  })

  it('at once for the second of two in a row, windows permitting, and only the second', () => {
    const twice = { ...delays, callTwiceInARow: true }
    expect(due('2026-01-14T11:30:00Z', twice)).toBe(utc('2026-01-14T11:31:00Z'))
    expect(due('2026-01-14T17:59:30Z', twice)).toBe(utc('2026-01-15T10:00:00Z'))
    expect(due('2026-01-14T11:30:00Z', twice, 2)).toBe(utc('2026-01-14T12:31:00Z'))
  })

  it('never before now', () => {
    const last = aSummary({
      startedAt: utc('2026-01-14T11:00Z'),
      endedAt: utc('2026-01-14T11:01Z'),
    })
    const now = utc('2026-01-14T19:00Z')
    const next = planNextAttempt({ config: delays, zones, last, attemptsMade: 1, now })
    expect(next).toEqual({ kind: 'retry', dueAt: utc('2026-01-15T10:00Z') })
  })

  it('at the last moment there is when the delay is longer than time', () => {
    const [window] = DEFAULT_CALL_RETRY_CONFIG.callingWindows
    if (window === undefined) throw new Error('no window')
    const callingWindows = [{ ...window, retryDelaySeconds: Number.MAX_SAFE_INTEGER }]
    expect(due('2026-01-14T12:00Z', { ...ALWAYS, callingWindows })).toBe(LAST_MOMENT)
  })
})

it('is in a window, after the delay, and at the first such moment', () => {
  fc.assert(
    fc.property(
      anyConfig,
      anyZone,
      anyMoment,
      fc.integer({ min: 0, max: 600_000 }),
      fc.integer({ min: 1, max: 4 }),
      (config, zone, startedAt, lengthMs, attemptsMade) => {
        const last = aSummary({ number: attemptsMade, startedAt, endedAt: startedAt + lengthMs })
        const now = last.endedAt + 1000
        const next = planNextAttempt({ config, zones: [zone], last, attemptsMade, now })
        expect(next.kind).toBe(attemptsMade < config.maxRetryAttempts ? 'retry' : 'resolved')
        if (next.kind === 'resolved') return
        const window = windowAt(config, zone, startedAt) ?? config.callingWindows[0]
        const isImmediate = config.callTwiceInARow && attemptsMade === 1
        const delayMs = isImmediate ? 0 : (window?.retryDelaySeconds ?? 0) * 1000
        const earliest = Math.max(now, last.endedAt + delayMs)
        expect(next.dueAt).toBeGreaterThanOrEqual(earliest)
        expect(isOpenByTemporal(config, zone, next.dueAt)).toBe(true)
        const end = Math.min(next.dueAt, earliest + 2 * 86_400_000)
        for (let moment = earliest; moment < end; moment = nextQuarter(moment)) {
          if (isOpenByTemporal(config, zone, moment)) expect.fail(`open at ${moment} already`)
        }
      },
    ),
    { numRuns: 150 },
  )
})
