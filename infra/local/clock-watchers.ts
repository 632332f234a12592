import type { ServerResponse } from 'node:http'

/** A stream that is silent for minutes is taken for dead by its reader. */
const REPEAT_MS = 15_000

/** Tells other processes of the stack where the test clock stands, whenever it was put forward. */
export class ClockWatchers {
  readonly #responses = new Set<ServerResponse>()
  readonly #now: () => number
  readonly #repeating = setInterval(() => this.tellAll(), REPEAT_MS).unref()

  constructor(now: () => number) {
    this.#now = now
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
    clearInterval(this.#repeating)
    for (const response of this.#responses) response.end()
  }

  #tell(response: ServerResponse): void {
    response.write(`data: ${JSON.stringify({ now: this.#now() })}\n\n`)
  }
}
