/** What a call retry config must not be (spec 2.6, decisions 2), for the contract layer to report. */

import { isTimeZone } from '../time.ts'
import type { CallRetryConfig, CallingWindow } from './call-retry-config.ts'
import { parseTimeOfDay } from './calling-windows.ts'

export interface RetryConfigProblem {
  /** Field names and indexes as in `CallRetryConfig`. */
  readonly path: readonly (string | number)[]
  readonly rule: RetryConfigRule
}

export type RetryConfigRule =
  | 'not_empty'
  | 'time_of_day'
  | 'start_differs_from_end'
  | 'iana_time_zone'
  | 'retry_delay_range'
  | 'attempts_range'

/** Every problem of a config; an empty list means that it can be planned with. */
export function retryConfigProblems(config: CallRetryConfig): RetryConfigProblem[] {
  const problems: RetryConfigProblem[] = []
  const { allowedDays, callingWindows, timezone, maxRetryAttempts } = config
  if (allowedDays.length === 0) problems.push({ path: ['allowedDays'], rule: 'not_empty' })
  if (callingWindows.length === 0) problems.push({ path: ['callingWindows'], rule: 'not_empty' })
  callingWindows.forEach((window, index) => {
    const inWindow = windowProblems(window)
    problems.push(
      ...inWindow.map(({ path, rule }) => ({ path: ['callingWindows', index, ...path], rule })),
    )
  })
  if (!(maxRetryAttempts > 0 && maxRetryAttempts <= Number.MAX_SAFE_INTEGER)) {
    problems.push({ path: ['maxRetryAttempts'], rule: 'attempts_range' })
  }
  if (timezone !== undefined && !isTimeZone(timezone)) {
    problems.push({ path: ['timezone'], rule: 'iana_time_zone' })
  }
  return problems
}

function windowProblems(window: CallingWindow): RetryConfigProblem[] {
  const problems: RetryConfigProblem[] = []
  const start = parseTimeOfDay(window.callingWindowStartTime)
  const end = parseTimeOfDay(window.callingWindowEndTime)
  if (start === null) problems.push({ path: ['callingWindowStartTime'], rule: 'time_of_day' })
  if (end === null) problems.push({ path: ['callingWindowEndTime'], rule: 'time_of_day' })
  if (start !== null && start === end) {
    problems.push({ path: ['callingWindowEndTime'], rule: 'start_differs_from_end' })
  }
  const delay = window.retryDelaySeconds
  if (!(delay >= 0 && delay <= Number.MAX_SAFE_INTEGER)) {
    problems.push({ path: ['retryDelaySeconds'], rule: 'retry_delay_range' })
  }
  return problems
}
