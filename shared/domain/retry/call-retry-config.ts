/** When a recipient may be called, and how often: spec 2.6. */

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** Times are kept as they were written (`10:00`, `10am`, `6:30pm`), so that reading gives them back. */
export interface CallingWindow {
  readonly callingWindowStartTime: string
  readonly callingWindowEndTime: string
  readonly retryDelaySeconds: number
}

export interface CallRetryConfig {
  readonly allowedDays: readonly Weekday[]
  readonly callTwiceInARow: boolean
  readonly callingWindows: readonly CallingWindow[]
  /** The total number of attempts, the first included (decisions 2). */
  readonly maxRetryAttempts: number
  /** IANA name; absent means: derived from the recipient's number. */
  readonly timezone?: string | undefined
}

export const DEFAULT_CALLING_WINDOW: CallingWindow = {
  callingWindowStartTime: '10:00',
  callingWindowEndTime: '18:00',
  retryDelaySeconds: 7200,
}

export const DEFAULT_CALL_RETRY_CONFIG: CallRetryConfig = {
  allowedDays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
  callTwiceInARow: false,
  callingWindows: [DEFAULT_CALLING_WINDOW],
  maxRetryAttempts: 3,
}
