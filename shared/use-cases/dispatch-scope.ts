import type { Campaign } from '#shared/domain/campaign/campaign.ts'
import type { Organization } from '#shared/domain/organization.ts'
import { campaignOfScope } from '#shared/domain/scope.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { admitOrder, type AdmitPorts } from './admit-order.ts'
import { campaignGate } from './campaign-gate.ts'
import { letFollow } from './follow-campaign.ts'
import { wakeScope } from './perform-effect.ts'

/** How many due orders one dispatch looks at; the rest is left to the next one. */
const ORDERS_PER_DISPATCH = 100

/** After so many orders of a campaign it is read again: it may have been stopped. */
const ORDERS_PER_LOOK = 25

type DispatchPorts = AdmitPorts & Pick<ServicePorts, 'organizations'>

/**
 * Admits what may be called now among a scope's waiting orders, and asks to be woken for the next
 * one. Any number of dispatches of the same scope may run at once.
 */
export async function dispatchScope(
  ports: DispatchPorts,
  scope: string,
): Promise<{ readonly admitted: number }> {
  const lookedAt = ports.clock.now()
  const due = await ports.calls.listDue(scope, lookedAt, ORDERS_PER_DISPATCH)
  const organizationOf = rememberedOrganizations(ports)
  let admitted = 0
  let moved = 0
  for (let start = 0; start < due.length; start += ORDERS_PER_LOOK) {
    const batch = due.slice(start, start + ORDERS_PER_LOOK).map(({ orderId }) => orderId)
    const open = await openScope(ports, scope, batch)
    if (open === null) return { admitted }
    for (const orderId of batch) {
      const admission = await admitOrder(ports, { ...open, orderId, organizationOf })
      if (admission.kind === 'admitted') admitted += 1
      if (admission.kind === 'moved') moved += 1
      if (admission.kind === 'scopeBlocked') {
        if (admission.until !== null) await wakeScope(ports, scope, admission.until)
        return { admitted }
      }
    }
  }
  // Each of those has left the front of the line, so that this comes to an end.
  if (due.length === ORDERS_PER_DISPATCH && admitted + moved > 0) {
    await wakeScope(ports, scope, ports.clock.now())
    return { admitted }
  }
  const nextDueAt = await ports.calls.nextDueAt(scope)
  // One that has become due since the look was not seen by it.
  if (nextDueAt !== null && nextDueAt > lookedAt) await wakeScope(ports, scope, nextDueAt)
  return { admitted }
}

/** Null when these orders may not be called. Those of a campaign that is over are cancelled then. */
async function openScope(
  ports: DispatchPorts,
  scope: string,
  orderIds: readonly string[],
): Promise<{ readonly campaign: Campaign | null } | null> {
  const campaignId = campaignOfScope(scope)
  if (campaignId === null) return { campaign: null }
  const gate = await campaignGate(ports, campaignId)
  if (gate.kind === 'over') {
    for (const order of await ports.calls.findOrders(orderIds)) {
      await letFollow(ports, gate.campaign, order)
    }
  }
  return gate.kind === 'open' ? { campaign: gate.campaign } : null
}

function rememberedOrganizations({ organizations }: Pick<ServicePorts, 'organizations'>) {
  const remembered = new Map<string, Promise<Organization | null>>()
  return (id: string) => {
    const found = remembered.get(id) ?? organizations.findOrganization(id)
    remembered.set(id, found)
    return found
  }
}
