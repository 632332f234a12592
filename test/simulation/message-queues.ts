import type { QueueMessages, QueueName, Queues } from '#shared/ports/queues.ts'
import type { Scheduler } from '#shared/ports/scheduler.ts'

import type { Faults } from './faults.ts'
import type { Process, World } from './world.ts'

/** What happens with a message; resolves when it may be deleted. */
export type Consumer = (
  process: Process,
  message: QueueMessages[QueueName],
  count: number,
) => Promise<void>

const VISIBILITY_MS = 30_000
const RECEIVES_MAX = 4
/** A scheduled wake-up may be late. */
const SCHEDULER_LATE_MS = 60_000

/** Queues and scheduler of the simulated world: at least once, in any order, sometimes late. */
export class MessageQueues implements Queues, Scheduler {
  readonly #world: World
  readonly #faults: () => Faults
  readonly #consumers = new Map<QueueName, Consumer>()
  readonly #names = new Set<string>()

  constructor(world: World, faults: () => Faults) {
    this.#world = world
    this.#faults = faults
  }

  consume(queue: QueueName, consumer: Consumer): void {
    this.#consumers.set(queue, consumer)
  }

  async send<Q extends QueueName>(
    queue: Q,
    message: QueueMessages[Q],
    options: { readonly delaySecs?: number } = {},
  ): Promise<void> {
    const { random } = this.#world
    const copies = random.chance(this.#faults().duplicateMessage) ? 2 : 1
    for (let copy = 0; copy < copies; copy += 1) {
      const lateMs = random.chance(this.#faults().delayMessage) ? random.between(1_000, 40_000) : 0
      const delayMs = (options.delaySecs ?? 0) * 1_000 + lateMs + random.between(5, 100)
      this.#deliver(queue, message, delayMs, 1)
    }
  }

  async schedule<Q extends QueueName>(request: {
    readonly name: string
    readonly at: number
    readonly queue: Q
    readonly message: QueueMessages[Q]
  }): Promise<void> {
    if (this.#names.has(request.name)) return
    this.#names.add(request.name)
    const lateMs = this.#world.random.between(0, SCHEDULER_LATE_MS)
    this.#world.in(request.at - this.#world.now + lateMs, () => {
      this.#names.delete(request.name)
      void this.send(request.queue, request.message)
    })
  }

  #deliver(
    queue: QueueName,
    message: QueueMessages[QueueName],
    delayMs: number,
    count: number,
  ): void {
    this.#world.in(delayMs, () => {
      const consumer = this.#consumers.get(queue)
      if (consumer === undefined) throw new Error(`Nobody consumes ${queue}`)
      const process: Process = { name: `${queue} ${JSON.stringify(message)}`, isAlive: true }
      let isDeleted = false
      this.#maybeKill(process)
      const delivered = async () => {
        await consumer(process, message, count)
        isDeleted = true
      }
      // A failure is seen by the queue as a message that was not deleted.
      delivered().catch((error: unknown) =>
        this.#world.note(`failed: ${process.name} ${String(error)}`),
      )
      this.#world.in(VISIBILITY_MS, () => {
        if (isDeleted) return
        process.isAlive = false
        if (count < RECEIVES_MAX) this.#deliver(queue, message, 0, count + 1)
        else this.#world.note(`dead letter: ${process.name}`)
      })
    })
  }

  #maybeKill(process: Process): void {
    const { random } = this.#world
    if (!random.chance(this.#faults().kill)) return
    this.#world.in(random.between(1, 150), () => {
      process.isAlive = false
      this.#world.note(`killed: ${process.name}`)
    })
  }
}
