import { createHash } from 'node:crypto'

import { ConflictException, CreateScheduleCommand } from '@aws-sdk/client-scheduler'
import type { SchedulerClient } from '@aws-sdk/client-scheduler'

import type { Clock } from '#shared/ports/clock.ts'
import type { QueueName } from '#shared/ports/queues.ts'
import type { Scheduler } from '#shared/ports/scheduler.ts'

import { awsError } from './aws-error.ts'

const MINUTE_MS = 60_000

/**
 * Wake-ups as one-time schedules of EventBridge that delete themselves (reference/aws.md 2.7).
 * Throws AdapterError.
 */
export function eventBridgeScheduler(options: {
  readonly client: SchedulerClient
  readonly clock: Clock
  readonly groupName: string
  /** Allows the schedules to send to the target queues. */
  readonly roleArn: string
  readonly targetArns: Readonly<Record<QueueName, string>>
  readonly deadLetterArn?: string | undefined
}): Scheduler {
  return {
    async schedule({ name, at, queue, message }) {
      const command = new CreateScheduleCommand({
        Name: scheduleName(name),
        GroupName: options.groupName,
        ScheduleExpression: scheduleExpression({ at, now: options.clock.now() }),
        ScheduleExpressionTimezone: 'UTC',
        FlexibleTimeWindow: { Mode: 'OFF' },
        ActionAfterCompletion: 'DELETE',
        Target: {
          Arn: options.targetArns[queue],
          RoleArn: options.roleArn,
          Input: JSON.stringify(message),
          RetryPolicy: { MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 3_600 },
          ...(options.deadLetterArn !== undefined && {
            DeadLetterConfig: { Arn: options.deadLetterArn },
          }),
        },
      })
      await options.client.send(command).catch((error: unknown) => {
        // The same wake-up is already there.
        if (error instanceof ConflictException) return
        throw awsError('could not schedule a wake-up', error)
      })
    },
  }
}

/**
 * The first full minute not before `at`, and never one that has passed: a schedule in the past
 * might never fire. Both epoch ms.
 */
export function scheduleExpression(times: { readonly at: number; readonly now: number }): string {
  const minute = Math.ceil(Math.max(times.at, times.now + 1) / MINUTE_MS) * MINUTE_MS
  return `at(${new Date(minute).toISOString().slice(0, 19)})`
}

/** A schedule name has at most 64 of few characters; any other name is replaced by its hash. */
export function scheduleName(name: string): string {
  if (/^[\w.-]{1,64}$/.test(name)) return name
  return createHash('sha256').update(name).digest('hex')
}
