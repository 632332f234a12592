import type { CallAttempt, HeldPermit } from '#shared/domain/call-attempt/attempt.ts'
import { decideOrder } from '#shared/domain/call-order/decide.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { isOwnPermit, ownPermits } from '#shared/domain/permit-scope.ts'

import { commitCall, type CommitPorts } from './commit-call.ts'
import { callNext, type TurnPorts } from './take-turn.ts'
import { wakeScope } from './wake-scope.ts'

/** How many orders go on at once when a permit has room for them. */
const ORDERS_AT_ONCE = 25

export type PermitPorts = CommitPorts & TurnPorts

/**
 * Gives permits back, and lets whoever waits for them go on: at a permit of single orders the orders,
 * at any other the scope whose turn it is. Harmless when repeated.
 */
export async function releasePermits(
  ports: PermitPorts,
  held: {
    readonly organizationId: string
    readonly permits: readonly HeldPermit[]
    readonly holder: string
  },
): Promise<void> {
  const { organizationId, permits, holder } = held
  await Promise.all(permits.map((permit) => ports.permits.release(permit, holder)))
  await Promise.all(
    permits.map(({ scope }) =>
      isOwnPermit(scope) ? unblockOrders(ports, organizationId, scope) : callNext(ports, scope),
    ),
  )
}

/** The same for an attempt that has ended. */
export function freeCapacityOf(ports: PermitPorts, attempt: CallAttempt): Promise<void> {
  const { id: holder, organizationId, permits } = attempt
  return releasePermits(ports, { organizationId, permits, holder })
}

/**
 * Puts orders that a permit blocked back where they stood in their scopes, as many as the permit has
 * room for. Whether they are called is decided there: room is no promise.
 */
export async function unblockOrders(
  ports: PermitPorts,
  organizationId: string,
  permit: string,
): Promise<void> {
  const ids = await ports.calls.listBlocked(organizationId, permit, ORDERS_AT_ONCE)
  if (ids.length === 0) return
  const [first] = await ports.calls.findOrders(ids.slice(0, 1))
  const cap = first && ownPermits(first).find(({ scope }) => scope === permit)?.cap
  const now = ports.clock.now()
  const room = await ports.permits.room({ scope: permit, cap: cap ?? 0, now })
  const scopes = new Set<string>()
  for (const order of await ports.calls.findOrders(ids.slice(0, room))) {
    if (await unblock(ports, order, permit)) scopes.add(order.scope)
  }
  for (const scope of scopes) await wakeScope(ports, scope, now)
}

/** False when it was changed meanwhile, or waits for something else by now. */
async function unblock(ports: PermitPorts, order: CallOrder, permit: string): Promise<boolean> {
  const decision = decideOrder(order, { type: 'unblocked' }, ports.clock.now())
  if (order.blockedBy !== permit || decision.kind === 'ignored') return false
  return commitCall(ports, {
    orderId: order.id,
    order: { before: order, after: decision.order },
    // Whoever unblocks many wakes their scope once.
    effects: decision.effects.filter(({ kind }) => kind !== 'wakeScope'),
  })
}
