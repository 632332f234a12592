import { expect, test } from 'vitest'

import {
  DEFAULT_CALL_RETRY_CONFIG,
  DEFAULT_CALLING_WINDOW,
  type CallingWindow,
  type CallRetryConfig,
} from '#shared/domain/retry/call-retry-config.ts'
import { retryConfigProblems } from '#shared/domain/retry/retry-config-problems.ts'

const problems = (changes: Partial<CallRetryConfig>) =>
  retryConfigProblems({ ...DEFAULT_CALL_RETRY_CONFIG, ...changes })

const inSecondWindow = (changes: Partial<CallingWindow>) =>
  problems({ callingWindows: [DEFAULT_CALLING_WINDOW, { ...DEFAULT_CALLING_WINDOW, ...changes }] })

test('the defaults and both ways to write times are fine', () => {
  expect(problems({})).toEqual([])
  expect(problems({ timezone: 'America/New_York', maxRetryAttempts: 1 })).toEqual([])
  const overMidnight = { callingWindowStartTime: '10pm', callingWindowEndTime: '06:30' }
  expect(inSecondWindow({ ...overMidnight, retryDelaySeconds: 0 })).toEqual([])
})

test.each<[Partial<CallRetryConfig>, string, string]>([
  [{ allowedDays: [] }, 'allowedDays', 'not_empty'],
  [{ callingWindows: [] }, 'callingWindows', 'not_empty'],
  [{ timezone: 'EST' }, 'timezone', 'iana_time_zone'],
  [{ timezone: 'Mars/Olympus' }, 'timezone', 'iana_time_zone'],
  [{ maxRetryAttempts: 0 }, 'maxRetryAttempts', 'attempts_range'],
  [{ maxRetryAttempts: Number.NaN }, 'maxRetryAttempts', 'attempts_range'],
])('%j', (changes, field, rule) => {
  expect(problems(changes)).toEqual([{ path: [field], rule }])
})

test.each<[Partial<CallingWindow>, keyof CallingWindow, string]>([
  [{ callingWindowStartTime: '25:00' }, 'callingWindowStartTime', 'time_of_day'],
  [{ callingWindowEndTime: '13pm' }, 'callingWindowEndTime', 'time_of_day'],
  [{ callingWindowEndTime: '10am' }, 'callingWindowEndTime', 'start_differs_from_end'],
  [{ retryDelaySeconds: -1 }, 'retryDelaySeconds', 'retry_delay_range'],
  [{ retryDelaySeconds: Infinity }, 'retryDelaySeconds', 'retry_delay_range'],
])('a window with %j', (changes, field, rule) => {
  expect(inSecondWindow(changes)).toEqual([{ path: ['callingWindows', 1, field], rule }])
})
