/**
 * The service's queues as data, read by the CDK stacks and by the local stack
 * (reference/aws.md 2.2). Each has a dead-letter queue named `<name>-dead`.
 */
export const QUEUE_DEFINITIONS = {
  dispatch: {
    visibilitySecs: 180,
    maxReceives: 5,
    batchSize: 5,
    delaySecs: 0,
    maxConcurrency: 100,
  },
  import: {
    visibilitySecs: 360,
    maxReceives: 5,
    batchSize: 1,
    delaySecs: 0,
    maxConcurrency: 50,
  },
  'call-start': {
    visibilitySecs: 30,
    maxReceives: 5,
    batchSize: 10,
    delaySecs: 0,
    maxConcurrency: null,
  },
  'post-call': {
    visibilitySecs: 900,
    maxReceives: 4,
    batchSize: 1,
    delaySecs: 0,
    maxConcurrency: 100,
  },
  notify: {
    visibilitySecs: 180,
    maxReceives: 6,
    batchSize: 5,
    delaySecs: 0,
    maxConcurrency: 100,
  },
  webhook: {
    visibilitySecs: 180,
    maxReceives: 8,
    batchSize: 1,
    delaySecs: 0,
    maxConcurrency: 100,
  },
} as const satisfies Record<string, QueueDefinition>

export interface QueueDefinition {
  /** How long a received message stays hidden: six times the function's time-out. */
  readonly visibilitySecs: number
  /** After so many receives without success the message goes to the dead-letter queue. */
  readonly maxReceives: number
  /** Most messages handed to one consumer at once. */
  readonly batchSize: number
  /** How long every message waits before its first delivery. */
  readonly delaySecs: number
  /** Functions at work at once; null: the voice runtime pulls when it has a free session. */
  readonly maxConcurrency: number | null
}

/** Long polling, and how long unread messages are kept. */
export const QUEUE_WAIT_SECS = 20
export const QUEUE_RETENTION_SECS = 14 * 24 * 3_600
