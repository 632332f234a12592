import { newCallOrder, type NewCallOrder } from '#shared/domain/call-order/decide.ts'
import type { AttemptSummary, CallOrder } from '#shared/domain/call-order/order.ts'
import type { CallRetryConfig } from '#shared/domain/retry/call-retry-config.ts'

/** Wednesday 2026-01-14 12:00 UTC. */
export const NOON = 1_768_392_000_000

/** Open at every moment, retry after a minute, three attempts. */
export const ALWAYS: CallRetryConfig = {
  allowedDays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  callTwiceInARow: false,
  callingWindows: [
    { callingWindowStartTime: '00:00', callingWindowEndTime: '12:00', retryDelaySeconds: 60 },
    { callingWindowStartTime: '12:00', callingWindowEndTime: '00:00', retryDelaySeconds: 60 },
  ],
  maxRetryAttempts: 3,
}

export const ORDER_INPUT: NewCallOrder = {
  id: 'call_1',
  organizationId: 'org_1',
  direction: 'outbound',
  toPhoneNumber: '+12025550100',
  fromPhoneNumber: null,
  assistant: { kind: 'stored', assistantId: 'asst_1', version: 1 },
  scope: 'ORG#org_1',
  campaign: null,
  concurrency: null,
  retryConfig: ALWAYS,
  timeZones: ['America/New_York'],
  warnings: [],
  forceNow: false,
  scheduledAt: null,
  promptVariables: {},
  metadata: {},
  isTest: true,
}

/** An order that waits for its first attempt since `NOON`, with changes. */
export function anOrder(changes: Partial<CallOrder> = {}): CallOrder {
  return { ...newCallOrder(ORDER_INPUT, NOON).order, ...changes }
}

/** An attempt that rang for half a minute until `NOON`, and was not answered. */
export function aSummary(changes: Partial<AttemptSummary> = {}): AttemptSummary {
  return {
    number: 1,
    startedAt: NOON - 30_000,
    endedAt: NOON,
    result: null,
    dialError: 'no_answer',
    ...changes,
  }
}
