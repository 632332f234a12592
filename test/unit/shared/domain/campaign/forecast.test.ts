import { describe, expect, test } from 'vitest'

import type { Contact } from '#shared/domain/campaign/contact-file.ts'
import { forecastCampaign, type ForecastInput } from '#shared/domain/campaign/forecast.ts'
import { groupContacts } from '#shared/domain/campaign/group-contacts.ts'
import type { CallRetryConfig } from '#shared/domain/retry/call-retry-config.ts'
import { ALWAYS } from '#test/support/an-order.ts'

/** A Monday, midnight in UTC. */
const MONDAY = Date.parse('2026-10-26T00:00:00Z')
const HOUR = 3_600_000
const DAY = 24 * HOUR

const NINE_TO_FIVE: CallRetryConfig = {
  allowedDays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
  callTwiceInARow: false,
  callingWindows: [
    { callingWindowStartTime: '09:00', callingWindowEndTime: '17:00', retryDelaySeconds: 7_200 },
  ],
  maxRetryAttempts: 3,
}

const forecast = (changes: Partial<ForecastInput> = {}) =>
  forecastCampaign({
    groups: [{ zones: ['UTC'], contacts: 6_000 }],
    retryConfig: NINE_TO_FIVE,
    maxConcurrentCalls: 10,
    callsPerSecond: 10,
    answerRate: 0.35,
    answeredSecs: 60,
    unansweredSecs: 60,
    startAt: MONDAY,
    ...changes,
  })

describe('the forecast of a campaign', () => {
  test('six thousand calls of a minute at ten lines take ten hours of windows', () => {
    const { attempts, reached, finishedAt } = forecast({ answerRate: 1 })
    expect([attempts, reached]).toEqual([6_000, 6_000])
    // Eight hours on Monday, two on Tuesday.
    const expected = MONDAY + DAY + 11 * HOUR
    expect(Math.abs((finishedAt ?? 0) - expected)).toBeLessThan(5 * 60_000)
  })

  test('nobody answers: everybody is called as often as allowed', () => {
    expect(forecast({ answerRate: 0 })).toMatchObject({ attempts: 18_000, reached: 0 })
  })

  test('some answer: the others are called again, those that are left a third time', () => {
    const { attempts, reached } = forecast({ maxConcurrentCalls: 1_000, callsPerSecond: 100 })
    expect(attempts).toBe(Math.round(6_000 * (1 + 0.65 + 0.65 * 0.65)))
    expect(reached).toBe(Math.round(attempts * 0.35))
  })

  test('hours show calls inside the windows of their zones only', () => {
    const zones = ['Europe/Berlin', 'America/New_York']
    const groups = zones.map((zone) => ({ zones: [zone], contacts: 3_000 }))
    const { callsPerHour } = forecast({ groups })
    const hours = new Set(callsPerHour.map(({ hour }) => new Date(hour).getUTCHours()))
    // Berlin is open from 8 to 16 UTC, New York from 13 to 21.
    expect([...hours].toSorted((a, b) => a - b)).toEqual([
      8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
    ])
    expect(Math.max(...callsPerHour.map(({ calls }) => calls))).toBeLessThanOrEqual(600)
  })

  test('the pace of the trunk holds where lines are free', () => {
    const paced = forecast({ answerRate: 1, maxConcurrentCalls: 5_000, callsPerSecond: 1 })
    expect(paced.finishedAt).toBeGreaterThan(MONDAY + 9 * HOUR + 5_900_000)
  })

  test('what takes longer than a year has no end, and is worked out in bounded steps', () => {
    const long = forecast({
      groups: [{ zones: ['UTC'], contacts: 9_000_000 }],
      maxConcurrentCalls: 1,
    })
    expect(long.finishedAt).toBeNull()
  })

  test('a campaign of one contact is done after its last attempt that is likely', () => {
    const one = forecast({ groups: [{ zones: ['UTC'], contacts: 1 }], retryConfig: ALWAYS })
    expect(one.finishedAt).toBeLessThan(MONDAY + 10 * 60_000)
  })

  test('nobody at all: it is done at once', () => {
    expect(forecast({ groups: [] })).toMatchObject({ contacts: 0, attempts: 0, callsPerHour: [] })
  })
})

describe('contacts by zone', () => {
  const group = (...contacts: [to: string, timezone?: string][]) =>
    groupContacts(contacts.map(contact), NINE_TO_FIVE, MONDAY)
  const contact = ([toPhoneNumber, timezone]: [string, string?]): Contact => ({
    toPhoneNumber,
    promptVariables: timezone === undefined ? {} : { timezone },
  })

  test('by number, and by what a contact says of itself', () => {
    expect(
      group(['+12025550100'], ['+12025550101'], ['+12065550100'], ['+12025550102', 'Europe/Paris']),
    ).toEqual([
      { zones: ['America/New_York'], contacts: 2 },
      { zones: ['America/Los_Angeles'], contacts: 1 },
      { zones: ['Europe/Paris'], contacts: 1 },
    ])
  })

  test('what is no number is not called', () => {
    expect(group(['nobody'], [''], ['+12025550100'])).toEqual([
      { zones: ['America/New_York'], contacts: 1 },
    ])
  })
})
