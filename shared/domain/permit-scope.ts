/** What is counted, and how many of it may be in use at once (architecture 2, aws.md 2.4). */

import type { CallOrder } from './call-order/order.ts'

export interface PermitClaim {
  readonly scope: string
  readonly cap: number
}

/** The permits that hold up an order without holding up the others of its scope. */
export function ownPermits(
  order: Pick<CallOrder, 'organizationId' | 'toPhoneNumber' | 'concurrency'>,
): PermitClaim[] {
  const { organizationId, toPhoneNumber, concurrency } = order
  const recipient = { scope: `TO#${organizationId}#${toPhoneNumber}`, cap: 1 }
  return concurrency === null
    ? [recipient]
    : [recipient, { scope: keyPermit(organizationId, concurrency.key), cap: concurrency.max }]
}

/** The permits that every order of a scope needs; a campaign without a cap of its own needs none. */
export function sharedPermits(scope: {
  readonly organization: { readonly id: string; readonly cap: number }
  readonly trunk: { readonly id: string; readonly cap: number }
  readonly campaign: { readonly id: string; readonly cap: number | null } | null
}): PermitClaim[] {
  const { organization, trunk, campaign } = scope
  const claims = [
    { scope: organizationPermit(organization.id), cap: organization.cap },
    { scope: trunkPermit(trunk.id), cap: trunk.cap },
  ]
  return campaign === null || campaign.cap === null
    ? claims
    : [{ scope: `CMP#${campaign.id}`, cap: campaign.cap }, ...claims]
}

/** Calls that share a concurrency key (spec 4.4). */
export function keyPermit(organizationId: string, key: string): string {
  return `KEY#${organizationId}#${key}`
}

/** All calls of an organization. */
export function organizationPermit(organizationId: string): string {
  return `ORG#${organizationId}`
}

/** All calls on a trunk, of whatever organization. */
export function trunkPermit(trunkId: string): string {
  return `TRUNK#${trunkId}`
}

/** Whether a permit is one of `ownPermits`. */
export function isOwnPermit(scope: string): boolean {
  return scope.startsWith('TO#') || scope.startsWith('KEY#')
}

/** Whether a permit is shared between organizations. */
export function isTrunkPermit(scope: string): boolean {
  return scope.startsWith('TRUNK#')
}
