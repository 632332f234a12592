import type { CallAttempt, HeldPermit } from '#shared/domain/call-attempt/attempt.ts'
import { decideOrder } from '#shared/domain/call-order/decide.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { isOwnPermit, ownPermits } from '#shared/domain/permit-scope.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { commitCall, type CommitPorts } from './commit-call.ts'
import { wakeScope } from './perform-effect.ts'

/** How many orders go on at once when a permit has room for them. */
const ORDERS_AT_ONCE = 25

export type PermitPorts = CommitPorts & Pick<ServicePorts, 'permits'>

/** Gives permits back and lets the orders that they blocked go on; harmless when repeated. */
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
  const own = permits.filter(({ scope }) => isOwnPermit(scope))
  await Promise.all(own.map(({ scope }) => unblockOrders(ports, organizationId, scope)))
}

/**
 * Gives the capacity of an attempt that has ended back, and has the dispatcher look who may have it.
 * Harmless when repeated.
 */
export async function freeCapacityOf(
  ports: PermitPorts,
  order: CallOrder,
  attempt: CallAttempt,
): Promise<void> {
  const { id: holder, organizationId, permits } = attempt
  await releasePermits(ports, { organizationId, permits, holder })
  await wakeScope(ports, order.scope, ports.clock.now())
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
  const orders = await ports.calls.findOrders(ids)
  const room = await roomOf(ports, permit, orders[0])
  const scopes = new Set<string>()
  for (const order of orders.slice(0, room)) {
    if (await unblock(ports, order, permit)) scopes.add(order.scope)
  }
  for (const scope of scopes) await wakeScope(ports, scope, ports.clock.now())
}

/** How many more may hold a permit, by the cap that an order sets for it. */
export async function roomOf(
  { permits, clock }: Pick<ServicePorts, 'permits' | 'clock'>,
  permit: string,
  order: CallOrder | undefined,
): Promise<number> {
  const cap = order && ownPermits(order).find(({ scope }) => scope === permit)?.cap
  if (cap === undefined) return 0
  return Math.max(0, cap - (await permits.count(permit, clock.now())))
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
