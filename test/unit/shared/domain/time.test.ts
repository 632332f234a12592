import * as fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, it, test } from 'vitest'

import {
  DAY_MS,
  LAST_MOMENT,
  isTimeZone,
  offsetSpan,
  parseIso,
  toIso,
} from '#shared/domain/time.ts'

const moment = (text: string) => Temporal.Instant.from(text).epochMilliseconds

test.each([
  [0, '1970-01-01T00:00:00.000Z'],
  [1_768_392_000_000, '2026-01-14T12:00:00.000Z'],
  [1_768_392_000_007, '2026-01-14T12:00:00.007Z'],
  [-1, '1969-12-31T23:59:59.999Z'],
  [LAST_MOMENT, '9999-12-31T23:59:59.999Z'],
])('%i is written %s', (at, text) => {
  expect(toIso(at)).toBe(text)
  expect(parseIso(text)).toBe(at)
})

test.each([
  ['2026-01-14T12:00:00Z', '2026-01-14T12:00:00.000Z'],
  ['2026-01-14T13:00:00+01:00', '2026-01-14T12:00:00.000Z'],
  ['2026-01-14T12:00+00:00', '2026-01-14T12:00:00.000Z'],
  ['2026-01-14T12:00:00.123456Z', '2026-01-14T12:00:00.123Z'],
  ['20260114T120000Z', '2026-01-14T12:00:00.000Z'],
])('%s is read', (text, same) => {
  expect(toIso(parseIso(text) ?? Number.NaN)).toBe(same)
})

test.each([
  '2026-01-14T12:00:00',
  '2026-01-14',
  '2026-02-30T12:00:00Z',
  '2026-01-14T25:00:00Z',
  '+010000-01-01T00:00:00Z',
  'tomorrow',
  '',
])('%s is refused', (text) => {
  expect(parseIso(text)).toBeNull()
})

test.each(['America/New_York', 'US/Eastern', 'America/Argentina/Buenos_Aires', 'UTC', 'Etc/GMT+5'])(
  '%s is a zone',
  (name) => {
    expect(isTimeZone(name)).toBe(true)
  },
)

test.each(['EST', 'utc', '+05:30', 'GMT', 'Mars/Olympus', 'America/', '', 'Europe/Berlin\n'])(
  '%j is no zone',
  (name) => {
    expect(isTimeZone(name)).toBe(false)
  },
)

describe('offsetSpan', () => {
  const zones = [
    'America/New_York',
    'Europe/Berlin',
    'Australia/Lord_Howe',
    'Asia/Beirut',
    'Africa/Casablanca',
    'Asia/Kathmandu',
    'Pacific/Apia',
    'UTC',
  ]
  const plainOffset = (zone: string, at: number) =>
    Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6

  it('agrees with Temporal at every moment, and until the end of the span', () => {
    const anyMoment = fc.integer({
      min: moment('2000-01-01T00:00Z'),
      max: moment('2045-01-01T00:00Z'),
    })
    fc.assert(
      fc.property(fc.constantFrom(...zones), anyMoment, (zone, at) => {
        const { offsetMs, until } = offsetSpan(zone, at)
        expect(offsetMs).toBe(plainOffset(zone, at))
        expect(until).toBeGreaterThan(at)
        expect(plainOffset(zone, until - 1)).toBe(offsetMs)
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    ['America/New_York', '2026-03-08T07:00Z', -5, -4],
    ['America/New_York', '2026-11-01T06:00Z', -4, -5],
    ['Europe/Berlin', '2026-03-29T01:00Z', 1, 2],
    ['Australia/Lord_Howe', '2026-04-04T15:00Z', 11, 10.5],
    ['Asia/Beirut', '2026-03-28T22:00Z', 2, 3],
    ['Pacific/Apia', '2011-12-30T10:00Z', -10, 14],
  ])('%s changes its clock at %s exactly', (zone, at, before, after) => {
    const change = moment(at)
    const hour = DAY_MS / 24
    expect(offsetSpan(zone, change - 1)).toEqual({ offsetMs: before * hour, until: change })
    expect(offsetSpan(zone, change).offsetMs).toBe(after * hour)
  })

  it('throws for an unknown zone', () => {
    expect(() => offsetSpan('Mars/Olympus', 0)).toThrow(RangeError)
  })
})
