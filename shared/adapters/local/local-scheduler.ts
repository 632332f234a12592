import type { QueueMessages, QueueName, Queues } from '#shared/ports/queues.ts'
import type { Scheduler } from '#shared/ports/scheduler.ts'

/** Wake-ups of a process that has its own clock: whoever moves the clock takes what became due. */
export interface LocalScheduler extends Scheduler {
  /** Sends every wake-up due at `now`, earliest first; how many there were. One that could not be sent stays. */
  takeDue(now: number): Promise<number>
  /** Epoch ms of the earliest wake-up; null when none waits. */
  nextAt(): number | null
}

interface WakeUp {
  readonly at: number
  readonly send: () => Promise<void>
}

/** A name that already waits stays as it is; once taken, the name is free again. */
export function localScheduler(options: { readonly queues: Queues }): LocalScheduler {
  const waiting = new Map<string, WakeUp>()

  const earliest = (): [string, WakeUp] | undefined =>
    [...waiting].reduce<[string, WakeUp] | undefined>(
      (first, entry) => (first === undefined || entry[1].at < first[1].at ? entry : first),
      undefined,
    )

  return {
    async schedule<Q extends QueueName>(request: {
      name: string
      at: number
      queue: Q
      message: QueueMessages[Q]
    }) {
      if (waiting.has(request.name)) return
      waiting.set(request.name, {
        at: request.at,
        send: () => options.queues.send(request.queue, request.message),
      })
    },

    async takeDue(now) {
      let taken = 0
      for (let next = earliest(); next && next[1].at <= now; next = earliest()) {
        const [name, wakeUp] = next
        waiting.delete(name)
        try {
          await wakeUp.send()
        } catch (error) {
          waiting.set(name, wakeUp)
          throw error
        }
        taken += 1
      }
      return taken
    },

    nextAt: () => earliest()?.[1].at ?? null,
  }
}
