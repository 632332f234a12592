import { SQSClient } from '@aws-sdk/client-sqs'
import { startFauxqs, type FauxqsServer } from 'fauxqs'

import { sqsQueues } from '#shared/adapters/aws/sqs-queues.ts'
import { localScheduler, type LocalScheduler } from '#shared/adapters/local/local-scheduler.ts'
import type { Clock } from '#shared/ports/clock.ts'
import { QUEUE_DEFINITIONS } from '#shared/ports/queue-definitions.ts'
import type { QueueMessages, QueueName, Queues } from '#shared/ports/queues.ts'

export interface LocalQueues {
  /** Delays are kept on the test clock, so that putting it forward ends them. */
  readonly queues: Queues
  readonly scheduler: LocalScheduler
  readonly client: SQSClient
  readonly endpoint: string
  readonly urls: Readonly<Record<QueueName, string>>
  /** Messages that wait or are worked on, but for calls to start: of those the attempts' leases tell. */
  messagesLeft(): number
  stop(): Promise<void>
}

const NAMES = Object.keys(QUEUE_DEFINITIONS) as QueueName[]

/** The service's queues, each with its dead-letter queue, on an SQS of this process. */
export async function startLocalQueues(clock: Clock): Promise<LocalQueues> {
  const server = await startFauxqs({ port: 0, logger: false })
  const urls = Object.fromEntries(NAMES.map((name) => [name, createQueue(server, name)])) as Record<
    QueueName,
    string
  >
  const client = sqsClient(server.address)
  const immediate = sqsQueues({ client, urls })
  const scheduler = localScheduler({ queues: immediate })
  return {
    queues: delayedBy(clock, immediate, scheduler),
    scheduler,
    client,
    endpoint: server.address,
    urls,
    messagesLeft: () =>
      NAMES.filter((name) => name !== 'call-start').reduce(
        (total, name) => total + countMessages(server, name),
        0,
      ),
    stop: async () => {
      client.destroy()
      await server.stop()
    },
  }
}

/** A client that only ever speaks to this machine. */
export function sqsClient(endpoint: string): SQSClient {
  return new SQSClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    useQueueUrlAsEndpoint: false,
  })
}

function createQueue(server: FauxqsServer, name: QueueName): string {
  const { visibilitySecs, maxReceives } = QUEUE_DEFINITIONS[name]
  const dead = server.createQueue(`${name}-dead`)
  const { queueUrl } = server.createQueue(name, {
    attributes: {
      VisibilityTimeout: String(visibilitySecs),
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: dead.queueArn,
        maxReceiveCount: String(maxReceives),
      }),
    },
  })
  return queueUrl
}

function countMessages(server: FauxqsServer, name: QueueName): number {
  const messages = server.inspectQueue(name)?.messages
  if (messages === undefined) return 0
  return messages.ready.length + messages.delayed.length + messages.inflight.length
}

function delayedBy(clock: Clock, immediate: Queues, scheduler: LocalScheduler): Queues {
  let delayed = 0
  return {
    async send<Q extends QueueName>(
      queue: Q,
      message: QueueMessages[Q],
      options: { readonly delaySecs?: number; readonly group?: string } = {},
    ) {
      const { delaySecs = 0, ...rest } = options
      if (delaySecs <= 0) return immediate.send(queue, message, rest)
      delayed += 1
      const at = clock.now() + delaySecs * 1_000
      return scheduler.schedule({ name: `delayed-${delayed}`, at, queue, message })
    },
  }
}
