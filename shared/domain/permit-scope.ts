/** What is counted, and how many of it may be in use at once (architecture 2, aws.md 2.4). */

import type { CallOrder } from './call-order/order.ts'

export interface PermitClaim {
  readonly scope: string
  readonly cap: number
  /** Whether another waiting order of the same scope could still be admitted when this is full. */
  readonly blocks: 'order' | 'scope'
}

/**
 * The permits that an attempt of this order needs, in the order in which they are taken: the most
 * particular first, so that a full trunk is found out without having touched the rest in vain.
 */
export function permitClaims(
  order: CallOrder,
  caps: {
    readonly organization: number
    readonly trunk: { readonly id: string; readonly cap: number }
    readonly campaign: number | null
  },
): PermitClaim[] {
  const claims: PermitClaim[] = ownPermits(order).map((own) => ({ ...own, blocks: 'order' }))
  if (order.campaign !== null && caps.campaign !== null) {
    claims.push({ scope: `CMP#${order.campaign.campaignId}`, cap: caps.campaign, blocks: 'scope' })
  }
  claims.push({ scope: `ORG#${order.organizationId}`, cap: caps.organization, blocks: 'scope' })
  claims.push({ scope: `TRUNK#${caps.trunk.id}`, cap: caps.trunk.cap, blocks: 'scope' })
  return claims
}

/** The permits that hold up an order without holding up the others of its scope. */
export function ownPermits(
  order: Pick<CallOrder, 'organizationId' | 'toPhoneNumber' | 'concurrency'>,
): { readonly scope: string; readonly cap: number }[] {
  const { organizationId, toPhoneNumber, concurrency } = order
  const recipient = { scope: `TO#${organizationId}#${toPhoneNumber}`, cap: 1 }
  return concurrency === null
    ? [recipient]
    : [recipient, { scope: `KEY#${organizationId}#${concurrency.key}`, cap: concurrency.max }]
}

/** Whether a permit is one of those. */
export function isOwnPermit(scope: string): boolean {
  return scope.startsWith('TO#') || scope.startsWith('KEY#')
}
