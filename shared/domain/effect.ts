/**
 * What must happen after a change was saved. Effects are stored in the same transaction as the
 * change (the outbox), performed right after it, and performed again by the sweep if that failed:
 * each of them must therefore be harmless when repeated.
 */
export type Effect =
  /** Look at this scope's waiting orders at `at` (epoch ms), not before. */
  | { readonly kind: 'wakeScope'; readonly scope: string; readonly at: number }
  /** Hand an admitted attempt to the voice runtime. */
  | { readonly kind: 'startAttempt'; readonly orderId: string; readonly number: number }
  /** Give back the permits of an ended attempt, extract what came of it, plan what follows. */
  | { readonly kind: 'concludeAttempt'; readonly orderId: string; readonly number: number }
  /** Tell the owner (spec 6). */
  | { readonly kind: 'announce'; readonly event: AnnouncedEvent; readonly orderId: string }

export type AnnouncedEvent = 'call.completed'
