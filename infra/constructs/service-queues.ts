import { Duration } from 'aws-cdk-lib'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'

import {
  QUEUE_DEFINITIONS,
  QUEUE_RETENTION_SECS,
  QUEUE_WAIT_SECS,
  type QueueDefinition,
} from '#shared/ports/queue-definitions.ts'

export type QueueName = keyof typeof QUEUE_DEFINITIONS

/** One queue of the definitions, and where its messages go after too many failures. */
export interface ServiceQueue {
  readonly name: QueueName
  readonly definition: QueueDefinition
  readonly queue: Queue
  readonly dead: Queue
}

/**
 * Every queue of the definitions with its `<name>-dead`. Messages hold ids only, so the service's
 * own encryption of SQS is enough.
 */
export class ServiceQueues extends Construct {
  readonly all: readonly ServiceQueue[]

  constructor(scope: Construct, id: string) {
    super(scope, id)
    this.all = (Object.keys(QUEUE_DEFINITIONS) as QueueName[]).map((name) => this.#add(name))
  }

  get(name: QueueName): ServiceQueue {
    return this.all.find((queue) => queue.name === name)!
  }

  #add(name: QueueName): ServiceQueue {
    const definition = QUEUE_DEFINITIONS[name]
    const shared = {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.seconds(QUEUE_RETENTION_SECS),
    }
    const dead = new Queue(this, `${name}-dead`, shared)
    const queue = new Queue(this, name, {
      ...shared,
      visibilityTimeout: Duration.seconds(definition.visibilitySecs),
      receiveMessageWaitTime: Duration.seconds(QUEUE_WAIT_SECS),
      deliveryDelay: Duration.seconds(definition.delaySecs),
      deadLetterQueue: { queue: dead, maxReceiveCount: definition.maxReceives },
    })
    return { name, definition, queue, dead }
  }
}
