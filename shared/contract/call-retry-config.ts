import * as z from 'zod'

import {
  DEFAULT_CALL_RETRY_CONFIG,
  DEFAULT_CALLING_WINDOW,
  WEEKDAYS,
} from '#shared/domain/retry/call-retry-config.ts'
import {
  retryConfigProblems,
  type RetryConfigRule,
} from '#shared/domain/retry/retry-config-problems.ts'

import { camelKeys, snakeName } from './wire-case.ts'

const RULES: Readonly<Record<RetryConfigRule, string>> = {
  not_empty: 'Without any, nobody could ever be called',
  time_of_day: 'Expected a time of day such as 09:30, 10am or 6:30pm',
  start_differs_from_end: 'A window that ends when it starts is never open',
  iana_time_zone: 'Expected an IANA time zone, such as Europe/Paris',
  retry_delay_range: 'Expected a number of seconds, 0 or more',
  attempts_range: 'Expected a number of attempts, 1 or more',
}

const callingWindow = z.strictObject({
  calling_window_start_time: z.string().default(DEFAULT_CALLING_WINDOW.callingWindowStartTime),
  calling_window_end_time: z.string().default(DEFAULT_CALLING_WINDOW.callingWindowEndTime),
  retry_delay_seconds: z.int().min(0).default(DEFAULT_CALLING_WINDOW.retryDelaySeconds),
})

/** Spec 2.6. Gaps are filled with its defaults; the rules beyond types are the domain's. */
export const callRetryConfigSchema = z
  .strictObject({
    allowed_days: z.array(z.enum(WEEKDAYS)).default([...DEFAULT_CALL_RETRY_CONFIG.allowedDays]),
    call_twice_in_a_row: z.boolean().default(DEFAULT_CALL_RETRY_CONFIG.callTwiceInARow),
    calling_windows: z.array(callingWindow).prefault(() => [{}]),
    max_retry_attempts: z.int().positive().default(DEFAULT_CALL_RETRY_CONFIG.maxRetryAttempts),
    timezone: z.string().optional(),
  })
  .superRefine((config, context) => {
    for (const { path, rule } of retryConfigProblems(camelKeys(config))) {
      context.addIssue({
        code: 'custom',
        path: path.map((part) => (typeof part === 'string' ? snakeName(part) : part)),
        message: RULES[rule],
        params: { code: rule },
      })
    }
  })
