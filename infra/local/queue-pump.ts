import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  type Message,
  type SQSClient,
} from '@aws-sdk/client-sqs'
import type { SQSEvent, SQSRecord } from 'aws-lambda'

import type { QueueHandler } from '#functions/middleware/queue.ts'
import type { Timers } from '#shared/ports/clock.ts'
import type { Logger } from '#shared/ports/logger.ts'
import type { QueueName } from '#shared/ports/queues.ts'

/** How many batches of one queue are worked on at once. */
const BATCHES_AT_ONCE = 4
const FAILED_AGAIN_AFTER_SECS = 1
const TROUBLE_PAUSE_MS = 1_000
/** What is at work longer than this after the end is left; its message was never deleted. */
const STOP_GRACE_MS = 1_000

export interface QueuePump {
  stop(): Promise<void>
}

interface PumpOptions {
  readonly client: Pick<SQSClient, 'send'>
  readonly urls: Readonly<Record<QueueName, string>>
  readonly handlers: Partial<Readonly<Record<QueueName, QueueHandler>>>
  readonly logger: Logger
  readonly timers: Timers
}

/**
 * Plays Lambda's part for queues: receives, calls the handler, deletes what succeeded. What goes
 * wrong is logged, and the queue is asked again.
 */
export function startQueuePump(options: PumpOptions): QueuePump {
  const abort = new AbortController()
  const pumps = Object.entries(options.handlers).flatMap(([name, handler]) =>
    Array.from({ length: BATCHES_AT_ONCE }, () =>
      pump({ ...options, url: options.urls[name as QueueName], handler, signal: abort.signal }),
    ),
  )
  return {
    stop: async () => {
      abort.abort()
      await Promise.race([Promise.all(pumps), pause(STOP_GRACE_MS, options.timers)])
    },
  }
}

interface OnePump extends Pick<PumpOptions, 'client' | 'logger' | 'timers'> {
  readonly url: string
  readonly handler: QueueHandler
  readonly signal: AbortSignal
}

async function pump({ client, url, handler, signal, logger, timers }: OnePump): Promise<void> {
  while (!signal.aborted) {
    try {
      const received = await client.send(
        new ReceiveMessageCommand({
          QueueUrl: url,
          MaxNumberOfMessages: 10,
          WaitTimeSeconds: 20,
          MessageSystemAttributeNames: ['ApproximateReceiveCount'],
        }),
        { abortSignal: signal },
      )
      const messages = received.Messages ?? []
      if (messages.length > 0) await work(client, url, handler, messages)
    } catch (error) {
      if (signal.aborted) return
      logger.error('A queue could not be served', { error })
      await pause(TROUBLE_PAUSE_MS, timers)
    }
  }
}

function pause(ms: number, timers: Timers): Promise<void> {
  return new Promise((resolve) => timers.after(ms, resolve))
}

async function work(
  client: PumpOptions['client'],
  url: string,
  handler: QueueHandler,
  messages: readonly Message[],
): Promise<void> {
  const { batchItemFailures } = await handler(lambdaEvent(messages))
  const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier))
  await Promise.all(
    messages.map(({ MessageId, ReceiptHandle }) =>
      failed.has(MessageId ?? '')
        ? client.send(
            new ChangeMessageVisibilityCommand({
              QueueUrl: url,
              ReceiptHandle,
              VisibilityTimeout: FAILED_AGAIN_AFTER_SECS,
            }),
          )
        : client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle })),
    ),
  )
}

function lambdaEvent(messages: readonly Message[]): SQSEvent {
  const records = messages.map((message): SQSRecord => ({
    messageId: message.MessageId ?? '',
    receiptHandle: message.ReceiptHandle ?? '',
    body: message.Body ?? '',
    attributes: {
      ApproximateReceiveCount: message.Attributes?.ApproximateReceiveCount ?? '1',
      SentTimestamp: '0',
      SenderId: 'local',
      ApproximateFirstReceiveTimestamp: '0',
    },
    messageAttributes: {},
    md5OfBody: message.MD5OfBody ?? '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:local:000000000000:local',
    awsRegion: 'local',
  }))
  return { Records: records }
}
