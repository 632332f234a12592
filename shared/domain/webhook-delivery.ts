/** One event on its way to one URL, under one id for all tries (decisions 4). */

export interface WebhookDelivery {
  /** The `webhook-id`: the same on every try. */
  readonly id: string
  readonly organizationId: string
  readonly orderId: string
  /** The webhook endpoint that it goes to; null: the assistant's own `webhook_url`. */
  readonly endpointId: string | null
  readonly url: string
  /** The exact bytes that are sent and signed; never rebuilt. */
  readonly body: string
  readonly status: 'pending' | 'delivered' | 'failed' | 'disabled'
  readonly version: number
  /** Tries made so far, newest last. */
  readonly tries: readonly WebhookTry[]
  /** Epoch ms of the next try; null when no more follow. */
  readonly dueAt: number | null
  readonly createdAt: number
}

export interface WebhookTry {
  readonly at: number
  /** Null when no answer came. */
  readonly statusCode: number | null
}
