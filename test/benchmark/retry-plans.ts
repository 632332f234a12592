import type { CallRetryConfig } from '#shared/domain/retry/call-retry-config.ts'
import { planNextAttempt } from '#shared/domain/retry/plan-next-attempt.ts'
import { DAY_MS } from '#shared/domain/time.ts'

const FIRST = Date.parse('2026-11-18T15:00:00Z')

const aConfig = (): CallRetryConfig => ({
  allowedDays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
  callTwiceInARow: false,
  callingWindows: [
    { callingWindowStartTime: '10:00', callingWindowEndTime: '18:00', retryDelaySeconds: 7_200 },
  ],
  maxRetryAttempts: 3,
})

/**
 * Plans so many retries all over three weeks, each with a configuration object of its own, as one
 * that was just read from the table is. The sum of the moments, so that nothing is left out.
 */
export function planRetries(count: number): number {
  let sum = 0
  for (let index = 0; index < count; index += 1) {
    const startedAt = FIRST + ((index * 977_777) % (20 * DAY_MS))
    const next = planNextAttempt({
      config: aConfig(),
      zones: ['America/New_York'],
      last: {
        number: 1,
        startedAt,
        endedAt: startedAt + 30_000,
        result: null,
        dialError: 'no_answer',
      },
      attemptsMade: 1,
      now: startedAt + 31_000,
    })
    if (next.kind === 'retry') sum += next.dueAt
  }
  return sum
}
