import * as fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, it, test } from 'vitest'

import {
  WEEKDAYS,
  type CallingWindow,
  type CallRetryConfig,
  type Weekday,
} from '#shared/domain/retry/call-retry-config.ts'
import {
  isOpen,
  nextOpening,
  parseTimeOfDay,
  windowAt,
} from '#shared/domain/retry/calling-windows.ts'
import { ALWAYS } from '#test/support/an-order.ts'

import { anyConfig, anyMoment, anyZone, isOpenByTemporal, nextQuarter } from './plain-windows.ts'

const at = (text: string) => Temporal.ZonedDateTime.from(text).epochMilliseconds
const utc = (text: string) => Temporal.Instant.from(text).epochMilliseconds

function window(start: string, end: string, retryDelaySeconds = 60): CallingWindow {
  return { callingWindowStartTime: start, callingWindowEndTime: end, retryDelaySeconds }
}

function config(
  callingWindows: readonly CallingWindow[],
  allowedDays: readonly Weekday[] = WEEKDAYS,
): CallRetryConfig {
  return { ...ALWAYS, callingWindows, allowedDays }
}

test.each([
  ['10:00', 600],
  ['00:00', 0],
  ['23:59', 1439],
  ['9:05', 545],
  ['10am', 600],
  ['6:30pm', 1110],
  ['12am', 0],
  ['12pm', 720],
  ['12:15am', 15],
  ['6:30 PM', 1110],
])('%s is %i minutes after midnight', (text, minutes) => {
  expect(parseTimeOfDay(text)).toBe(minutes)
})

test.each([
  '24:00',
  '10',
  '10:60',
  '13pm',
  '0am',
  '10:5',
  '10:00:00',
  '1:5pm',
  'noon',
  '',
  ' 10am',
])('%j is no time of day', (text) => {
  expect(parseTimeOfDay(text)).toBeNull()
})

describe('a window', () => {
  const weekdays = config([window('10:00', '18:00')], WEEKDAYS.slice(0, 5))
  const berlin = 'Europe/Berlin'

  test.each([
    ['2026-01-14T09:59:59.999[Europe/Berlin]', false],
    ['2026-01-14T10:00[Europe/Berlin]', true],
    ['2026-01-14T17:59:59.999[Europe/Berlin]', true],
    ['2026-01-14T18:00[Europe/Berlin]', false],
    ['2026-01-17T12:00[Europe/Berlin]', false],
  ])('is half-open and knows its days: %s', (moment, open) => {
    expect(isOpen(weekdays, [berlin], at(moment))).toBe(open)
  })

  it('opens at once, later today, or after the weekend', () => {
    const noon = at('2026-01-14T12:00[Europe/Berlin]')
    expect(nextOpening(weekdays, [berlin], noon)).toBe(noon)
    expect(nextOpening(weekdays, [berlin], at('2026-01-14T03:00[Europe/Berlin]'))).toBe(
      at('2026-01-14T10:00[Europe/Berlin]'),
    )
    expect(nextOpening(weekdays, [berlin], at('2026-01-16T18:00[Europe/Berlin]'))).toBe(
      at('2026-01-19T10:00[Europe/Berlin]'),
    )
  })

  it('over midnight belongs to the day it starts on', () => {
    const night = config([window('22:00', '02:00')], ['sunday'])
    const open = (text: string) => isOpen(night, ['UTC'], utc(text))
    expect(open('2026-01-18T23:00Z')).toBe(true)
    expect(open('2026-01-19T01:59Z')).toBe(true)
    expect(open('2026-01-19T02:00Z')).toBe(false)
    expect(open('2026-01-18T01:00Z')).toBe(false)
    expect(open('2026-01-19T23:00Z')).toBe(false)
  })

  it('supplies the delay: the first that contains the moment', () => {
    const overlapping = config([window('10:00', '14:00', 1), window('12:00', '18:00', 2)])
    const delay = (text: string) => windowAt(overlapping, 'UTC', utc(text))?.retryDelaySeconds
    expect(delay('2026-01-14T11:00Z')).toBe(1)
    expect(delay('2026-01-14T13:00Z')).toBe(1)
    expect(delay('2026-01-14T14:00Z')).toBe(2)
    expect(delay('2026-01-14T18:00Z')).toBeUndefined()
  })
})

describe('when the clock changes', () => {
  const newYork = ['America/New_York']

  it('a skipped hour opens at the next minute that exists', () => {
    const early = config([window('02:30', '05:00')])
    const before = utc('2026-03-08T06:00Z')
    expect(nextOpening(early, newYork, before)).toBe(utc('2026-03-08T07:00Z'))
  })

  it('a window that is skipped altogether opens the day after', () => {
    const skipped = config([window('02:15', '02:45')])
    const before = utc('2026-03-08T06:59Z')
    expect(nextOpening(skipped, newYork, before)).toBe(utc('2026-03-09T06:15Z'))
  })

  it('a repeated hour is open in both passes', () => {
    const night = config([window('01:00', '01:30')])
    const first = utc('2026-11-01T05:00Z')
    const second = utc('2026-11-01T06:00Z')
    expect(nextOpening(night, newYork, first - 1)).toBe(first)
    expect(isOpen(night, newYork, first + 1_799_999)).toBe(true)
    expect(nextOpening(night, newYork, first + 1_800_000)).toBe(second)
    expect(isOpen(night, newYork, second + 1_800_000)).toBe(false)
  })

  it('midnight may not exist: Beirut', () => {
    const fromMidnight = config([window('00:00', '01:30')])
    const opening = nextOpening(fromMidnight, ['Asia/Beirut'], utc('2026-03-28T20:00Z'))
    expect(opening).toBe(utc('2026-03-28T22:00Z'))
  })
})

describe('several zones', () => {
  const nineToFive = config([window('09:00', '17:00')])

  it('are open only together', () => {
    const zones = ['America/New_York', 'America/Los_Angeles']
    expect(nextOpening(nineToFive, zones, utc('2026-01-14T14:00Z'))).toBe(utc('2026-01-14T17:00Z'))
    expect(isOpen(nineToFive, zones, utc('2026-01-14T21:59Z'))).toBe(true)
    expect(isOpen(nineToFive, zones, utc('2026-01-14T22:00Z'))).toBe(false)
  })

  it('may never be', () => {
    const zones = ['Pacific/Honolulu', 'Asia/Dubai']
    expect(nextOpening(nineToFive, zones, utc('2026-01-14T14:00Z'))).toBeNull()
  })
})

it('agrees with Temporal about every moment', () => {
  fc.assert(
    fc.property(anyConfig, anyZone, anyMoment, (windows, zone, moment) => {
      expect(isOpen(windows, [zone], moment)).toBe(isOpenByTemporal(windows, zone, moment))
    }),
    { numRuns: 1000 },
  )
})

it('finds an open moment, and the first one', () => {
  fc.assert(
    fc.property(
      anyConfig,
      fc.uniqueArray(anyZone, { minLength: 1, maxLength: 2 }),
      anyMoment,
      (windows, zones, from) => {
        const isOpenInAll = (moment: number) =>
          zones.every((zone) => isOpenByTemporal(windows, zone, moment))
        const opening = nextOpening(windows, zones, from)
        if (opening !== null) expect(isOpenInAll(opening)).toBe(true)
        // All windows and all changes of a clock begin on a quarter of an hour.
        const end = Math.min(opening ?? Infinity, from + 2 * 86_400_000)
        for (let moment = from; moment < end; moment = nextQuarter(moment)) {
          if (isOpenInAll(moment)) expect.fail(`open at ${moment} already, not at ${opening}`)
        }
      },
    ),
    { numRuns: 150 },
  )
})
