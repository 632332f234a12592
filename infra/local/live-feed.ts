import type { ServerResponse } from 'node:http'

/** What is going on in calls right now, passed on to whoever watches (server-sent events). */
export class LiveFeed {
  readonly #watchers = new Map<string, Set<ServerResponse>>()
  readonly #history = new Map<string, string[]>()

  /** `observation` is JSON text of one line. */
  publish(orderId: string, observation: string): void {
    const history = this.#history.get(orderId) ?? []
    history.push(observation)
    this.#history.set(orderId, history.slice(-HISTORY_KEPT))
    if (this.#history.size > CALLS_KEPT) {
      const [oldest] = this.#history.keys()
      if (oldest !== undefined) this.#history.delete(oldest)
    }
    for (const watcher of this.#watchers.get(orderId) ?? [])
      watcher.write(`data: ${observation}\n\n`)
  }

  /** Sends what was seen so far, then everything as it comes, until the watcher goes away. */
  watch(orderId: string, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    response.flushHeaders()
    for (const observation of this.#history.get(orderId) ?? []) {
      response.write(`data: ${observation}\n\n`)
    }
    const watchers = this.#watchers.get(orderId) ?? new Set()
    this.#watchers.set(orderId, watchers.add(response))
    response.once('close', () => watchers.delete(response))
  }

  close(): void {
    for (const watchers of this.#watchers.values()) for (const watcher of watchers) watcher.end()
  }
}

const HISTORY_KEPT = 500
const CALLS_KEPT = 1_000
