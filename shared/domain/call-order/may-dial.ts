import { isOpen, nextOpening } from '../retry/calling-windows.ts'
import type { CallOrder } from './order.ts'

export type MayDial =
  | { readonly kind: 'open' }
  /** `opensAt` is epoch ms; null when no window opens within a year. */
  | { readonly kind: 'closed'; readonly opensAt: number | null }

/**
 * Whether this order's recipient may be rung at `at`. Asked at admission and again right before the
 * dial, because a message may have waited in between. Decisions 2: `force_now` lets the first
 * attempt ignore windows and allowed days. Whoever calls us may be answered at any time.
 */
export function mayDial(order: CallOrder, attemptNumber: number, at: number): MayDial {
  if (order.direction === 'inbound') return { kind: 'open' }
  if (order.forceNow && attemptNumber === 1) return { kind: 'open' }
  if (isOpen(order.retryConfig, order.timeZones, at)) return { kind: 'open' }
  return { kind: 'closed', opensAt: nextOpening(order.retryConfig, order.timeZones, at) }
}
