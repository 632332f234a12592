import { SendMessageCommand } from '@aws-sdk/client-sqs'
import type { SQSClient } from '@aws-sdk/client-sqs'

import type { QueueName, Queues } from '#shared/ports/queues.ts'

import { awsError } from './aws-error.ts'

/** SQS holds a message back for at most this long. */
const LONGEST_DELAY_SECS = 900

/**
 * The service's queues on SQS. `group` (the organization) becomes the message group by which
 * standard queues share fairly (reference/aws.md 2.2). Throws AdapterError.
 */
export function sqsQueues(options: {
  readonly client: SQSClient
  readonly urls: Readonly<Record<QueueName, string>>
}): Queues {
  return {
    async send(queue, message, { delaySecs, group } = {}) {
      if (delaySecs !== undefined && !(delaySecs >= 0 && delaySecs <= LONGEST_DELAY_SECS)) {
        throw new RangeError(
          `a message waits 0 to ${LONGEST_DELAY_SECS} s; longer is the Scheduler's`,
        )
      }
      const command = new SendMessageCommand({
        QueueUrl: options.urls[queue],
        MessageBody: JSON.stringify(message),
        ...(delaySecs !== undefined && { DelaySeconds: Math.ceil(delaySecs) }),
        ...(group !== undefined && { MessageGroupId: group }),
      })
      await options.client.send(command).catch((error: unknown) => {
        throw awsError(`could not send to ${queue}`, error)
      })
    },
  }
}
