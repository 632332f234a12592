import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import withMiddleware from '@middy/core'
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'

import { queueMessageSchemas } from '#shared/contract/queue-message.ts'
import type { Logger } from '#shared/ports/logger.ts'
import type { QueueMessages, QueueName } from '#shared/ports/queues.ts'

/** What one message of a queue makes happen. Throwing leaves the message for another delivery. */
export interface QueueOperation<Q extends QueueName, Ports> {
  readonly queue: Q
  readonly run: (
    ports: Ports,
    message: QueueMessages[Q],
    delivery: { /** From 1. */ readonly count: number },
  ) => Promise<unknown>
}

export type QueueHandler = (event: SQSEvent) => Promise<SQSBatchResponse>

/**
 * The Lambda handler of a queue: messages of a batch are worked on side by side, and only the failed
 * ones are delivered again. `portsOf` is asked at the first batch.
 */
export function queueHandler<Q extends QueueName, Ports extends { readonly logger: Logger }>(
  operation: QueueOperation<Q, Ports>,
  portsOf: () => Ports,
): QueueHandler {
  const processor = new BatchProcessor(EventType.SQS)
  const handle = withMiddleware<SQSEvent, SQSBatchResponse>().handler(async (event: SQSEvent) => {
    const ports = portsOf()
    const onRecord = async (record: SQSRecord) => {
      try {
        const message: unknown = JSON.parse(record.body)
        await operation.run(
          ports,
          queueMessageSchemas[operation.queue].parse(message) as QueueMessages[Q],
          { count: Number(record.attributes.ApproximateReceiveCount) },
        )
      } catch (error) {
        ports.logger.error('A message failed', { queue: operation.queue, error })
        throw error
      }
    }
    return processPartialResponse(event, onRecord, processor, { throwOnFullBatchFailure: false })
  })
  return (event) => handle(event, {} as never)
}
