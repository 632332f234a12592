/** A received webhook, as it came. */
export interface ReceivedWebhook {
  readonly received_at: string
  readonly status_answered: number
  readonly headers: Readonly<Record<string, string>>
  /** The raw bytes, as text. */
  readonly body: string
}

const WEBHOOKS_KEPT = 1_000

/**
 * A receiver to point `webhook_url` at. `?fail=N` in the URL answers the first N requests of each
 * webhook id with 500, to watch the retries.
 */
export class WebhookInbox {
  readonly #received: ReceivedWebhook[] = []
  readonly #failed = new Map<string, number>()

  receive(request: {
    readonly at: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly fail: number
  }): number {
    const id = request.headers['webhook-id'] ?? ''
    const failed = this.#failed.get(id) ?? 0
    const status = failed < request.fail ? 500 : 200
    if (status === 500) this.#failed.set(id, failed + 1)
    this.#received.push({
      received_at: new Date(request.at).toISOString(),
      status_answered: status,
      headers: request.headers,
      body: request.body,
    })
    if (this.#received.length > WEBHOOKS_KEPT) this.#received.shift()
    return status
  }

  /** Oldest first. */
  list(): readonly ReceivedWebhook[] {
    return this.#received
  }
}
