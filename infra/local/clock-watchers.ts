import type { ServerResponse } from 'node:http'

import type { Timers } from '#shared/ports/clock.ts'

/** So often the time is told, moved or not: a stream that is silent is taken for dead. */
export const CLOCK_REPEAT_MS = 15_000

/** Tells other processes of the stack where the test clock stands, whenever it was put forward. */
export class ClockWatchers {
  readonly #responses = new Set<ServerResponse>()
  readonly #now: () => number
  readonly #timers: Timers
  #cancelRepeat = () => {}

  /** `timers` measure real time. */
  constructor(now: () => number, timers: Timers) {
    this.#now = now
    this.#timers = timers
    this.#repeat()
  }

  /** How many listen. */
  get size(): number {
    return this.#responses.size
  }

  add(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    this.#responses.add(response)
    response.once('close', () => this.#responses.delete(response))
    this.#tell(response)
  }

  tellAll(): void {
    for (const response of this.#responses) this.#tell(response)
  }

  close(): void {
    this.#cancelRepeat()
    for (const response of this.#responses) response.end()
  }

  #repeat(): void {
    this.#cancelRepeat = this.#timers.after(CLOCK_REPEAT_MS, () => {
      this.tellAll()
      this.#repeat()
    })
  }

  #tell(response: ServerResponse): void {
    response.write(`data: ${JSON.stringify({ now: this.#now() })}\n\n`)
  }
}
