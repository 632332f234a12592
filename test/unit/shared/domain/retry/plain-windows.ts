import * as fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'

import { WEEKDAYS, type CallRetryConfig } from '#shared/domain/retry/call-retry-config.ts'
import { parseTimeOfDay } from '#shared/domain/retry/calling-windows.ts'

/** Zones whose clocks change in their own ways: by half an hour, at midnight, for a month, never. */
export const ZONES = [
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Asia/Beirut',
  'Africa/Casablanca',
  'Asia/Kolkata',
] as const

const CLOCK_CHANGES = [
  '2026-03-08T07:00Z',
  '2026-11-01T06:00Z',
  '2026-03-29T01:00Z',
  '2026-10-25T01:00Z',
  '2026-04-04T15:00Z',
  '2026-10-03T15:30Z',
  '2026-03-28T22:00Z',
  '2026-10-24T21:00Z',
  '2026-02-15T02:00Z',
  '2026-03-22T02:00Z',
].map((text) => Temporal.Instant.from(text).epochMilliseconds)

const QUARTER_MS = 900_000

/** The next quarter of an hour after a moment. */
export function nextQuarter(moment: number): number {
  return (Math.floor(moment / QUARTER_MS) + 1) * QUARTER_MS
}

export const anyZone = fc.constantFrom(...ZONES)

/** Half of them within a day and a half of a change of some clock. */
export const anyMoment = fc.oneof(
  fc.integer({ min: 1_760_000_000_000, max: 1_830_000_000_000 }),
  fc
    .tuple(fc.constantFrom(...CLOCK_CHANGES), fc.integer({ min: -130_000_000, max: 130_000_000 }))
    .map(([change, distance]) => change + distance),
)

const anyTime = fc.integer({ min: 0, max: 95 })

const written = (quarter: number) =>
  `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`

const anyWindow = fc
  .tuple(anyTime, anyTime, fc.integer({ min: 0, max: 200_000 }))
  .filter(([start, end]) => start !== end)
  .map(([start, end, retryDelaySeconds]) => ({
    callingWindowStartTime: written(start),
    callingWindowEndTime: written(end),
    retryDelaySeconds,
  }))

/** Windows begin and end on quarters of an hour. */
export const anyConfig: fc.Arbitrary<CallRetryConfig> = fc.record({
  allowedDays: fc.subarray([...WEEKDAYS], { minLength: 1 }),
  callTwiceInARow: fc.boolean(),
  callingWindows: fc.array(anyWindow, { minLength: 1, maxLength: 3 }),
  maxRetryAttempts: fc.integer({ min: 1, max: 5 }),
})

/** The rule as decisions 2 words it, on Temporal's wall clock: slow, and plain to see. */
export function isOpenByTemporal(config: CallRetryConfig, zone: string, moment: number): boolean {
  const local = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone)
  const minute = local.hour * 60 + local.minute
  const today = WEEKDAYS[local.dayOfWeek - 1]
  const yesterday = WEEKDAYS[(local.dayOfWeek + 5) % 7]
  const allows = (day: (typeof WEEKDAYS)[number] | undefined) =>
    day !== undefined && config.allowedDays.includes(day)
  return config.callingWindows.some((window) => {
    const start = parseTimeOfDay(window.callingWindowStartTime) ?? Number.NaN
    const end = parseTimeOfDay(window.callingWindowEndTime) ?? Number.NaN
    if (start < end) return allows(today) && minute >= start && minute < end
    return (allows(today) && minute >= start) || (allows(yesterday) && minute < end)
  })
}
