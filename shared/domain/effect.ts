/** What must happen after a change was saved. */
export type Effect = WakeScope | OutboxEffect

/**
 * Look at this scope's waiting orders at `at` (epoch ms), not before. It is stored nowhere: when the
 * scope is to be looked at follows from the orders that wait in it, and the sweep sees them.
 */
export interface WakeScope {
  readonly kind: 'wakeScope'
  readonly scope: string
  readonly at: number
}

/**
 * What nothing else remembers. It is stored in the same transaction as the change (the outbox),
 * performed right after it, and performed again by the sweep if that failed: it must therefore be
 * harmless when repeated.
 */
export type OutboxEffect =
  /** Hand an admitted attempt to the voice runtime. */
  | { readonly kind: 'startAttempt'; readonly orderId: string; readonly number: number }
  /** Give back the permits of an ended attempt, extract what came of it, plan what follows. */
  | { readonly kind: 'concludeAttempt'; readonly orderId: string; readonly number: number }
  /** Tell the owner (spec 6). */
  | { readonly kind: 'announce'; readonly event: AnnouncedEvent; readonly orderId: string }

export type AnnouncedEvent = 'call.completed'
