import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs'
import type { Message, SQSClient } from '@aws-sdk/client-sqs'

import type { Timers } from '#shared/ports/clock.ts'
import type { Logger } from '#shared/ports/logger.ts'

export interface PullOptions {
  readonly client: SQSClient
  readonly url: string
  /**
   * How many more messages may be handled now. `handle` must lower it before its first await:
   * messages at work are not counted here.
   */
  readonly freeSlots: () => number
  /**
   * Gets the parsed body, of whatever form. The message is deleted once this has resolved; after
   * a rejection it comes again when its visibility time is over.
   */
  readonly handle: (message: unknown) => Promise<void>
  /** Ends the pulling. */
  readonly signal: AbortSignal
  /** How long an empty queue is listened to at once, in seconds; 20 when absent, the most. */
  readonly waitSecs?: number
  readonly timers: Timers
  readonly logger: Logger
}

const FULL_PAUSE_MS = 200
const FIRST_BACKOFF_MS = 250
const LONGEST_BACKOFF_MS = 10_000
const BATCH_MAX = 10
const WAIT_SECS = 20

/**
 * Takes messages from a queue only as fast as there is room for them, so that the rest stays for
 * others (reference/aws.md D8). Resolves after the signal was aborted and what was at work has
 * ended; a message that arrived with the abort is left for others. Never rejects.
 */
export async function pullQueue(options: PullOptions): Promise<void> {
  const { signal, logger } = options
  const atWork = new Set<Promise<void>>()
  let backoffMs = FIRST_BACKOFF_MS

  while (!signal.aborted) {
    const free = options.freeSlots()
    if (free <= 0) {
      await pause(FULL_PAUSE_MS, options)
      continue
    }
    try {
      const messages = await receive(options, Math.min(BATCH_MAX, free))
      backoffMs = FIRST_BACKOFF_MS
      for (const message of messages) {
        const work = handleOne(message, options).finally(() => atWork.delete(work))
        atWork.add(work)
      }
    } catch (error) {
      if (signal.aborted) break
      logger.warn('could not receive messages', { error })
      await pause(backoffMs, options)
      backoffMs = Math.min(backoffMs * 2, LONGEST_BACKOFF_MS)
    }
  }
  await Promise.all(atWork)
}

async function receive(options: PullOptions, count: number): Promise<readonly Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl: options.url,
    MaxNumberOfMessages: count,
    WaitTimeSeconds: options.waitSecs ?? WAIT_SECS,
  })
  const { Messages } = await options.client.send(command, { abortSignal: options.signal })
  return options.signal.aborted ? [] : (Messages ?? [])
}

async function handleOne(message: Message, options: PullOptions): Promise<void> {
  try {
    await options.handle(JSON.parse(message.Body ?? ''))
    await options.client.send(
      new DeleteMessageCommand({ QueueUrl: options.url, ReceiptHandle: message.ReceiptHandle }),
    )
  } catch (error) {
    options.logger.error('message not handled', { messageId: message.MessageId, error })
  }
}

/** Ends early when the pulling ends. */
function pause(ms: number, { timers, signal }: PullOptions): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = timers.after(ms, end)
    signal.addEventListener('abort', end)
  })
}
