import {
  WEEKDAYS,
  type CallRetryConfig,
  type Weekday,
} from '#shared/domain/retry/call-retry-config.ts'

import type { World } from './world.ts'

export const ORGANIZATION = 'org_simulated'

const ZONES = ['America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC']

/** What the owner was told, and when: the invariants hold the service to it. */
export interface Promises {
  readonly cancelledAt: Map<string, number>
  /** By campaign: since when none of its rows may be dialled. */
  readonly stoppedAt: Map<string, number>
}

/** Any windows, days and limits that an owner may choose. */
export function retryConfig(world: World): CallRetryConfig {
  const { random } = world
  const hour = (from: number) => `${String(from % 24).padStart(2, '0')}:00`
  const starts = random.between(0, 23)
  const days: readonly Weekday[] = WEEKDAYS.filter(() => random.chance(0.8))
  return {
    allowedDays: days.length === 0 ? ['monday'] : days,
    callTwiceInARow: random.chance(0.3),
    callingWindows: [
      {
        callingWindowStartTime: hour(starts),
        callingWindowEndTime: hour(starts + random.between(1, 12)),
        retryDelaySeconds: random.pick([0, 60, 7_200, 40_000]),
      },
    ],
    maxRetryAttempts: random.between(1, 4),
    timezone: random.pick(ZONES),
  }
}
