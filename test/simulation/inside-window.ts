import { Temporal } from 'temporal-polyfill'

import {
  WEEKDAYS,
  type CallingWindow,
  type CallRetryConfig,
} from '#shared/domain/retry/call-retry-config.ts'

/** Windows by the letter of spec 2.6, written a second time and slowly, to check the first. */
export function isInsideWindow(
  config: Pick<CallRetryConfig, 'allowedDays' | 'callingWindows'>,
  zone: string,
  at: number,
): boolean {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
  const minute = local.hour * 60 + local.minute
  const isAllowed = (daysBefore: number) => {
    const name = WEEKDAYS[(local.dayOfWeek + 6 - daysBefore) % 7]
    return config.allowedDays.some((day) => day === name)
  }
  return config.callingWindows.some((window) => {
    const start = minuteOf(window.callingWindowStartTime)
    const end = minuteOf(window.callingWindowEndTime)
    if (start < end) return isAllowed(0) && minute >= start && minute < end
    return (isAllowed(0) && minute >= start) || (isAllowed(1) && minute < end)
  })
}

/** The first window of a config that contains a moment. */
export function windowOf(config: CallRetryConfig, zone: string, at: number): CallingWindow | null {
  const { allowedDays } = config
  const isAround = (window: CallingWindow) =>
    isInsideWindow({ allowedDays, callingWindows: [window] }, zone, at)
  return config.callingWindows.find(isAround) ?? null
}

/** Minutes after midnight of `HH:mm`. */
function minuteOf(text: string): number {
  const [hours = '0', minutes = '0'] = text.split(':')
  return Number(hours) * 60 + Number(minutes)
}
