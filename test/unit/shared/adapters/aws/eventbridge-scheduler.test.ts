import { ConflictException, type SchedulerClient } from '@aws-sdk/client-scheduler'
import { describe, expect, it } from 'vitest'

import {
  eventBridgeScheduler,
  scheduleExpression,
  scheduleName,
} from '#shared/adapters/aws/eventbridge-scheduler.ts'

const NOW = Date.UTC(2026, 0, 31, 9, 0, 30)

function scheduler(send: (command: { input: unknown }) => Promise<unknown>) {
  return eventBridgeScheduler({
    client: { send } as unknown as SchedulerClient,
    clock: { now: () => NOW },
    groupName: 'wake-ups',
    roleArn: 'role',
    targetArns: {
      dispatch: 'arn:dispatch',
      import: 'arn:import',
      'call-start': 'arn:call-start',
      'post-call': 'arn:post-call',
      notify: 'arn:notify',
      webhook: 'arn:webhook',
    },
  })
}

const WAKE = {
  name: 'wk-1',
  at: Date.UTC(2026, 0, 31, 10, 0, 1),
  queue: 'dispatch',
  message: { scope: 'ORG#org_1' },
} as const

describe('eventBridgeScheduler', () => {
  it('creates a one-time schedule that deletes itself', async () => {
    const inputs: unknown[] = []
    await scheduler(async (command) => inputs.push(command.input)).schedule(WAKE)
    expect(inputs).toEqual([
      {
        Name: 'wk-1',
        GroupName: 'wake-ups',
        ScheduleExpression: 'at(2026-01-31T10:01:00)',
        ScheduleExpressionTimezone: 'UTC',
        FlexibleTimeWindow: { Mode: 'OFF' },
        ActionAfterCompletion: 'DELETE',
        Target: {
          Arn: 'arn:dispatch',
          RoleArn: 'role',
          Input: '{"scope":"ORG#org_1"}',
          RetryPolicy: { MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 3_600 },
        },
      },
    ])
  })

  it('is content when the wake-up is already there', async () => {
    const conflict = new ConflictException({ message: 'exists', $metadata: {}, Message: 'exists' })
    await expect(scheduler(() => Promise.reject(conflict)).schedule(WAKE)).resolves.toBeUndefined()
  })

  it.each([
    [
      { $fault: 'client', $metadata: { httpStatusCode: 400 } },
      { retryable: false, status: 400 },
    ],
    [
      { $fault: 'client', $metadata: { httpStatusCode: 429 } },
      { retryable: true, status: 429 },
    ],
    [
      { $fault: 'server', $metadata: { httpStatusCode: 500 } },
      { retryable: true, status: 500 },
    ],
    [{}, { retryable: true, status: null }],
  ])('turns %j into an adapter error', async (fields, expected) => {
    const error = Object.assign(new Error('no'), fields)
    await expect(scheduler(() => Promise.reject(error)).schedule(WAKE)).rejects.toMatchObject({
      name: 'AdapterError',
      ...expected,
    })
  })
})

it.each([
  ['2026-01-31T10:00:00.000Z', 'at(2026-01-31T10:00:00)'],
  ['2026-01-31T10:00:00.001Z', 'at(2026-01-31T10:01:00)'],
  ['2026-01-31T10:59:59.999Z', 'at(2026-01-31T11:00:00)'],
  ['2026-01-31T09:00:30.000Z', 'at(2026-01-31T09:01:00)'],
  ['2020-01-01T00:00:00.000Z', 'at(2026-01-31T09:01:00)'],
])('a wake-up for %s is scheduled %s', (at, expected) => {
  expect(scheduleExpression({ at: Date.parse(at), now: NOW })).toBe(expected)
})

it('never schedules the minute that is just over', () => {
  const minute = Date.UTC(2026, 0, 31, 10, 0, 0)
  expect(scheduleExpression({ at: minute, now: minute })).toBe('at(2026-01-31T10:01:00)')
})

it.each([
  ['wk-a_b.C9', true],
  ['CMP#camp_1 10:00', false],
  ['x'.repeat(65), false],
])('the name %s stays as it is: %s', (name, stays) => {
  expect(scheduleName(name) === name).toBe(stays)
  expect(scheduleName(name)).toMatch(/^[\w.-]{1,64}$/)
})
