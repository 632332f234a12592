import type { QueueMessages, QueueName } from './queues.ts'

/** One-time wake-ups, delivered at least once and up to a minute late. */
export interface Scheduler {
  /** Sends `message` to `queue` at `at` (epoch ms). The same `name` twice is one wake-up. */
  schedule<Q extends QueueName>(request: {
    readonly name: string
    readonly at: number
    readonly queue: Q
    readonly message: QueueMessages[Q]
  }): Promise<void>
}
