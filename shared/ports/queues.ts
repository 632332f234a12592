/** Every message that the service sends to itself; one queue each, all at-least-once and unordered. */
export interface QueueMessages {
  /** A scope may have work and capacity; `sweep` looks after everything that was left lying. */
  readonly dispatch: { readonly scope: string } | { readonly sweep: true }
  /** The next piece of a campaign's work: contacts become rows, or rows follow a change. */
  readonly import: { readonly campaignId: string }
  readonly 'call-start': { readonly orderId: string; readonly number: number }
  readonly 'post-call': { readonly orderId: string; readonly number: number }
  readonly notify: { readonly orderId: string; readonly event: 'call.completed' }
  readonly webhook: { readonly deliveryId: string }
}

export type QueueName = keyof QueueMessages

export interface Queues {
  send<Q extends QueueName>(
    queue: Q,
    message: QueueMessages[Q],
    options?: { readonly delaySecs?: number; readonly group?: string },
  ): Promise<void>
}
