import { QUEUE_DEFINITIONS } from '#shared/ports/queue-definitions.ts'
import type { QueueMessages, QueueName, Queues } from '#shared/ports/queues.ts'
import type { Scheduler } from '#shared/ports/scheduler.ts'

import type { Faults } from './faults.ts'
import type { Process } from './process.ts'
import type { World } from './world.ts'

type AnyMessage = QueueMessages[QueueName]

/** What happens with a message; resolves when it may be deleted. */
type Consumer = (process: Process, message: AnyMessage, receives: number) => Promise<void>

/** A function has this share of the time for which its message stays hidden. */
const FUNCTION_SHARE = 6
/** A scheduled wake-up may be late. */
const SCHEDULER_LATE_MS = 60_000

/** Queues and scheduler of the simulated world: at least once, in any order, sometimes late or never. */
export class MessageQueues implements Queues, Scheduler {
  /** So many wake-ups were scheduled. */
  scheduled = 0
  readonly #world: World
  readonly #faults: () => Faults
  readonly #startProcess: (name: string) => Process
  readonly #consumers = new Map<QueueName, Consumer>()
  readonly #names = new Set<string>()

  constructor(world: World, faults: () => Faults, startProcess: (name: string) => Process) {
    this.#world = world
    this.#faults = faults
    this.#startProcess = startProcess
  }

  consume<Q extends QueueName>(
    queue: Q,
    consumer: (process: Process, message: QueueMessages[Q], receives: number) => Promise<void>,
  ): void {
    this.#consumers.set(queue, consumer as Consumer)
  }

  async send<Q extends QueueName>(
    queue: Q,
    message: QueueMessages[Q],
    options: { readonly delaySecs?: number } = {},
  ): Promise<void> {
    const { random } = this.#world
    const faults = this.#faults()
    if (this.#world.faults(faults.dropMessage)) return
    const copies = this.#world.faults(faults.duplicateMessage) ? 2 : 1
    for (let copy = 0; copy < copies; copy += 1) {
      const isLate = this.#world.faults(faults.delayMessage)
      const lateMs = isLate ? random.between(1_000, 40_000) : 0
      const delayMs = (options.delaySecs ?? 0) * 1_000 + lateMs + random.between(5, 100)
      this.#world.in(delayMs, () => {
        if (isLate) this.#world.lastFaultAt = this.#world.now
        this.#deliver(queue, message, 1)
      })
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
    this.scheduled += 1
    const lateMs = this.#world.random.between(0, SCHEDULER_LATE_MS)
    this.#world.in(request.at - this.#world.now + lateMs, () => {
      this.#names.delete(request.name)
      void this.send(request.queue, request.message)
    })
  }

  #deliver(queue: QueueName, message: AnyMessage, receives: number): void {
    const consumer = this.#consumers.get(queue)
    if (consumer === undefined) throw new Error(`Nobody consumes ${queue}`)
    const { visibilitySecs, maxReceives, maxConcurrency } = QUEUE_DEFINITIONS[queue]
    const name = `${queue} ${JSON.stringify(message)}`
    const process = this.#startProcess(name)
    const visibleAgain = this.#world.in(visibilitySecs * 1_000, () => {
      if (receives < maxReceives) this.#deliver(queue, message, receives + 1)
      else this.#world.note(`dead letter: ${name}`)
    })
    // What pulls its messages itself is not stopped when one of them takes long.
    if (maxConcurrency !== null) {
      this.#world.in((visibilitySecs * 1_000) / FUNCTION_SHARE, () => process.kill())
    }
    consumer(process, message, receives).then(
      () => {
        visibleAgain.isOff = true
      },
      // A failure is seen by the queue as a message that was not deleted.
      (error: unknown) => this.#world.note(`failed: ${name} ${String(error)}`),
    )
  }
}
