import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources'
import type { Construct } from 'constructs'

import type { ServiceAccess } from './service-access.ts'
import { ServiceFunction, type FunctionSource } from './service-function.ts'
import type { ServiceQueue } from './service-queues.ts'

/** AWS asks for a visibility time of six times the function's time-out. */
const VISIBILITY_PER_TIMEOUT = 6

/** The function that works on a queue's messages; those that fail come again one by one. */
export class QueueWorker extends ServiceFunction {
  constructor(
    scope: Construct,
    id: string,
    props: FunctionSource & { readonly access: ServiceAccess; readonly queue: ServiceQueue },
  ) {
    const { queue, definition } = props.queue
    super(scope, id, {
      ...props,
      timeoutSecs: definition.visibilitySecs / VISIBILITY_PER_TIMEOUT,
      memoryMib: 1_024,
    })
    this.addEventSource(
      new SqsEventSource(queue, {
        batchSize: definition.batchSize,
        reportBatchItemFailures: true,
        ...(definition.maxConcurrency !== null && { maxConcurrency: definition.maxConcurrency }),
      }),
    )
  }
}
