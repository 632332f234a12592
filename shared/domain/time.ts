/** Moments and time zones. The only file that knows Temporal. All moments are epoch ms. */

import * as Instant from 'temporal-polyfill/fns/Instant'
import { offsetNanoseconds } from 'temporal-polyfill/fns/ZonedDateTime'

export const MINUTE_MS = 60_000
export const DAY_MS = 86_400_000

/** The last moment that RFC 3339 can write: nothing is planned after it. */
export const LAST_MOMENT = 253_402_300_799_999

/** RFC 3339 in UTC with milliseconds (decisions 1): `2026-01-31T09:00:00.000Z`. */
export function toIso(at: number): string {
  return Instant.toString(Instant.fromEpochMilliseconds(at), { fractionalSecondDigits: 3 })
}

/** Reads ISO 8601 with an offset or `Z`; null when there is no offset or it is no moment. */
export function parseIso(text: string): number | null {
  try {
    const at = Instant.fromString(text).epochMilliseconds
    return at > LAST_MOMENT ? null : at
  } catch {
    return null
  }
}

const IANA_NAME = /^(?:[A-Za-z_]+\/[A-Za-z0-9_+\-/]+|UTC)$/

/** Whether a name is an IANA zone; offsets and abbreviations (`+05:30`, `EST`) are none. */
export function isTimeZone(name: string): boolean {
  if (!IANA_NAME.test(name)) return false
  try {
    offsetAt(name, 0)
    return true
  } catch {
    return false
  }
}

/** A stretch of time during which a zone's clock runs evenly. */
export interface OffsetSpan {
  /** Local time minus UTC. */
  readonly offsetMs: number
  /** The offset holds before this moment; it may go on holding after it. */
  readonly until: number
}

/**
 * The offset of a zone at a moment. Fast: what Temporal says is remembered per zone and UTC day.
 * Throws RangeError for an unknown zone.
 */
export function offsetSpan(zone: string, at: number): OffsetSpan {
  const day = Math.floor(at / DAY_MS)
  const { before, after } = offsetsOfDay(zone, day)
  return at < before.until ? before : after
}

interface DayOffsets {
  readonly before: OffsetSpan
  /** The same as `before` on a day without a change of the clock. */
  readonly after: OffsetSpan
}

const REMEMBERED_DAYS_MAX = 20_000
const remembered = new Map<string, Map<number, DayOffsets>>()
let rememberedDays = 0

function offsetsOfDay(zone: string, day: number): DayOffsets {
  const known = remembered.get(zone)?.get(day)
  if (known !== undefined) return known
  if (rememberedDays >= REMEMBERED_DAYS_MAX) {
    remembered.clear()
    rememberedDays = 0
  }
  const offsets = findOffsetsOfDay(zone, day)
  const days = remembered.get(zone) ?? new Map<number, DayOffsets>()
  remembered.set(zone, days.set(day, offsets))
  rememberedDays += 1
  return offsets
}

/** No zone changes its clock twice within 24 hours, so one change at most is looked for. */
function findOffsetsOfDay(zone: string, day: number): DayOffsets {
  const start = day * DAY_MS
  const end = start + DAY_MS
  const first = offsetAt(zone, start)
  const last = offsetAt(zone, end - 1)
  const after = { offsetMs: last, until: end }
  if (first === last) return { before: after, after }
  let unchanged = start
  let changed = end - 1
  while (changed - unchanged > 1) {
    const middle = Math.floor((unchanged + changed) / 2)
    if (offsetAt(zone, middle) === first) unchanged = middle
    else changed = middle
  }
  return { before: { offsetMs: first, until: changed }, after }
}

function offsetAt(zone: string, at: number): number {
  const local = Instant.toZonedDateTimeISO(Instant.fromEpochMilliseconds(at), zone)
  return offsetNanoseconds(local) / 1_000_000
}
