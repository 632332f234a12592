/**
 * When a recipient may be called (spec 2.6, decisions 2). A window is open as long as the
 * recipient's wall clock shows a time in `[start, end)` on an allowed day; a window over midnight
 * belongs to the day it starts on. That rule alone answers a change of the clock: of a skipped hour
 * the rest of the window opens at the next minute that exists, a repeated hour is open both times.
 */

import { DAY_MS, MINUTE_MS, offsetSpan } from '../time.ts'
import { WEEKDAYS, type CallingWindow, type CallRetryConfig } from './call-retry-config.ts'

const WEEK_MS = 7 * DAY_MS
/** The epoch began on a Thursday; weeks here begin on Monday. */
const MONDAY_SHIFT_MS = 3 * DAY_MS
/** How far an opening is looked for. */
export const HORIZON_MS = 366 * DAY_MS

const TIME_24 = /^([01]?\d|2[0-3]):([0-5]\d)$/
const TIME_12 = /^(0?[1-9]|1[0-2])(?::([0-5]\d))? ?([ap])m$/i

/** Minutes after midnight of `HH:mm` or `H:mma` (`10am`, `6:30pm`, `12am` = 0); null when malformed. */
export function parseTimeOfDay(text: string): number | null {
  const full = TIME_24.exec(text)
  if (full) return Number(full[1]) * 60 + Number(full[2])
  const half = TIME_12.exec(text)
  if (!half) return null
  const isAfternoon = half[3]?.toLowerCase() === 'p'
  return ((Number(half[1]) % 12) + (isAfternoon ? 12 : 0)) * 60 + Number(half[2] ?? 0)
}

/** Whether a call may start at `at` (epoch ms): open in every zone the recipient may be in. */
export function isOpen(config: CallRetryConfig, zones: readonly string[], at: number): boolean {
  const openings = compile(config)
  return zones.every((zone) => waitInWeek(openings, weekTime(zone, at)) === 0)
}

/**
 * The first moment >= `from` at which all zones are open; `from` itself when it is.
 * Null when there is none within 366 days.
 */
export function nextOpening(
  config: CallRetryConfig,
  zones: readonly string[],
  from: number,
): number | null {
  const openings = compile(config)
  const limit = from + HORIZON_MS
  let at = from
  let agreeing = 0
  for (let turn = 0; agreeing < zones.length; turn += 1) {
    const opening = nextOpeningIn(openings, zones[turn % zones.length] as string, at, limit)
    if (opening === null) return null
    agreeing = opening === at ? agreeing + 1 : 1
    at = opening
  }
  return at
}

/** The window that contains `at` in a zone, the first where several do; null outside of all. */
export function windowAt(config: CallRetryConfig, zone: string, at: number): CallingWindow | null {
  const time = weekTime(zone, at)
  const indexes = compile(config)
    .filter(({ start, end }) => start <= time && time < end)
    .map(({ windowIndex }) => windowIndex)
  return config.callingWindows[Math.min(...indexes)] ?? null
}

/** `[start, end)` in ms since Monday midnight on the wall clock. */
interface Opening {
  readonly start: number
  readonly end: number
  readonly windowIndex: number
}

const compiled = new WeakMap<CallRetryConfig, readonly Opening[]>()

/** All openings of a week, by start. */
function compile(config: CallRetryConfig): readonly Opening[] {
  const known = compiled.get(config)
  if (known !== undefined) return known
  const openings: Opening[] = []
  for (const [windowIndex, window] of config.callingWindows.entries()) {
    const from = minuteOf(window.callingWindowStartTime)
    const to = minuteOf(window.callingWindowEndTime)
    const lengthMs = (from < to ? to - from : to + 1440 - from) * MINUTE_MS
    for (const day of config.allowedDays) {
      const start = WEEKDAYS.indexOf(day) * DAY_MS + from * MINUTE_MS
      const end = start + lengthMs
      openings.push({ start, end: Math.min(end, WEEK_MS), windowIndex })
      if (end > WEEK_MS) openings.push({ start: 0, end: end - WEEK_MS, windowIndex })
    }
  }
  openings.sort((one, other) => one.start - other.start)
  compiled.set(config, openings)
  return openings
}

function minuteOf(text: string): number {
  const minute = parseTimeOfDay(text)
  if (minute === null) throw new RangeError(`Not a time of day: ${text}`)
  return minute
}

function weekTime(zone: string, at: number): number {
  return inWeek(at + offsetSpan(zone, at).offsetMs)
}

function inWeek(local: number): number {
  const rest = (local + MONDAY_SHIFT_MS) % WEEK_MS
  return rest < 0 ? rest + WEEK_MS : rest
}

/** Ms until the first opening, 0 inside one. `openings` are sorted by start; Infinity without any. */
function waitInWeek(openings: readonly Opening[], time: number): number {
  for (const { start, end } of openings) {
    if (time < start) return start - time
    if (time < end) return 0
  }
  const first = openings[0]
  return first === undefined ? Infinity : first.start + WEEK_MS - time
}

function nextOpeningIn(
  openings: readonly Opening[],
  zone: string,
  from: number,
  limit: number,
): number | null {
  for (let at = from; at <= limit;) {
    const { offsetMs, until } = offsetSpan(zone, at)
    const opening = at + waitInWeek(openings, inWeek(at + offsetMs))
    if (opening < until) return opening <= limit ? opening : null
    at = until
  }
  return null
}
