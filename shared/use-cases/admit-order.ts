import type { CallAttempt, HeldPermit } from '#shared/domain/call-attempt/attempt.ts'
import { newCallAttempt } from '#shared/domain/call-attempt/decide.ts'
import { decideOrder, type OrderEvent } from '#shared/domain/call-order/decide.ts'
import { mayDial } from '#shared/domain/call-order/may-dial.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { Campaign } from '#shared/domain/campaign/campaign.ts'
import { PERMIT_UNCLAIMED_MS, UNCLAIMED_LEASE_MS } from '#shared/domain/lease.ts'
import type { Organization } from '#shared/domain/organization.ts'
import { permitClaims, type PermitClaim } from '#shared/domain/permit-scope.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { commitCall } from './commit-call.ts'
import { assistantReferenceOf } from './find-assistant-of.ts'
import { releasePermits, roomOf, unblockOrders } from './release-permits.ts'

export type AdmitPorts = Pick<
  ServicePorts,
  | 'assistants'
  | 'calls'
  | 'campaigns'
  | 'permits'
  | 'pacing'
  | 'suppressions'
  | 'queues'
  | 'scheduler'
  | 'clock'
  | 'ids'
  | 'logger'
  | 'limits'
>

export type Admission =
  | { readonly kind: 'admitted' }
  /** Not now: it waits for its window or for a permit of its own, or will not be called at all. */
  | { readonly kind: 'moved' }
  /** Somebody else changed it meanwhile. */
  | { readonly kind: 'passed' }
  /** A cap or a pace that concerns every order of the scope; `until` when it is known. */
  | { readonly kind: 'scopeBlocked'; readonly until: number | null }

/**
 * Decides whether a due order is called now: window, do-not-call list, permits, pacing, then one
 * transaction that makes the order `calling` and creates the attempt. Of any number of dispatchers exactly one gets it
 * through, because the order's version is part of it.
 */
export async function admitOrder(
  ports: AdmitPorts,
  input: {
    readonly orderId: string
    /** The order's, as it is now; null outside campaigns. */
    readonly campaign: Campaign | null
    readonly organizationOf: (organizationId: string) => Promise<Organization | null>
  },
): Promise<Admission> {
  const order = await ports.calls.findOrder(input.orderId)
  const now = ports.clock.now()
  const isDue = order?.dueAt != null && order.dueAt <= now
  if (!isDue || order.blockedBy !== null) return { kind: 'passed' }
  const number = order.attemptsMade + 1
  const window = mayDial(order, number, now)
  if (window.kind === 'closed') {
    const event: OrderEvent =
      window.opensAt === null ? { type: 'fault' } : { type: 'deferred', dueAt: window.opensAt }
    return applyToOrder(ports, order, event)
  }
  if (await ports.suppressions.has(order.organizationId, order.toPhoneNumber)) {
    return applyToOrder(ports, order, { type: 'refused' })
  }
  const organization = await input.organizationOf(order.organizationId)
  if (organization === null) throw new Error(`Organization missing: ${order.organizationId}`)
  const attemptId = ports.ids.next('att')
  const release = (permits: readonly HeldPermit[]) =>
    releasePermits(ports, {
      organizationId: order.organizationId,
      permits,
      holder: attemptId,
    })
  const permits = await acquireAll(ports, {
    order,
    organization,
    campaign: input.campaign,
    holder: attemptId,
  })
  if (permits.kind === 'full') {
    if (permits.claim.blocks === 'order') return blockOrder(ports, order, permits.claim.scope)
    await applyToOrder(ports, order, { type: 'due' })
    return { kind: 'scopeBlocked', until: null }
  }
  const { trunk } = ports.limits
  const pace = await ports.pacing.take({
    trunk: trunk.id,
    perSecond: trunk.callsPerSecond,
    burst: trunk.callsPerSecond,
    now,
  })
  if (pace.kind === 'wait') {
    await release(permits.held)
    return { kind: 'scopeBlocked', until: pace.until }
  }
  const admitted = await startCalling(ports, {
    order,
    from: order.fromPhoneNumber ?? organization.defaultFromPhoneNumber,
    attemptId,
    permits: permits.held,
    now,
  })
  if (!admitted) {
    await release(permits.held)
    return { kind: 'passed' }
  }
  return { kind: 'admitted' }
}

/** Another dispatcher may come in between this often. */
const CONFLICTS_MAX = 4

/**
 * False when the order cannot be admitted any more, or somebody else did it first. Another dispatcher
 * that found one of our permits taken may have put the order aside: with that permit in hand we go on.
 */
async function startCalling(
  ports: AdmitPorts,
  admission: NewAttempt & { readonly order: CallOrder },
): Promise<boolean> {
  const number = admission.order.attemptsMade + 1
  let order: CallOrder | null = admission.order
  for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
    if (order === null || order.attemptsMade + 1 !== number) return false
    const assistant = await assistantReferenceOf(ports, order)
    const event = { type: 'admitted', fromPhoneNumber: admission.from } as const
    const decision = decideOrder({ ...order, assistant }, event, admission.now)
    if (decision.kind === 'ignored') return false
    const isSaved = await commitCall(ports, {
      orderId: order.id,
      order: { before: order, after: decision.order },
      attempt: { before: null, after: attemptOf(order, admission) },
      effects: [...decision.effects, { kind: 'startAttempt', orderId: order.id, number }],
    })
    if (isSaved) return true
    order = await ports.calls.findOrder(order.id)
  }
  return false
}

interface NewAttempt {
  readonly attemptId: string
  readonly from: string
  readonly permits: readonly HeldPermit[]
  readonly now: number
}

function attemptOf(order: CallOrder, admission: NewAttempt): CallAttempt {
  return newCallAttempt(
    {
      id: admission.attemptId,
      orderId: order.id,
      organizationId: order.organizationId,
      number: order.attemptsMade + 1,
      phoneNumber: order.toPhoneNumber,
      fromPhoneNumber: admission.from,
      permits: admission.permits,
      leaseUntil: admission.now + UNCLAIMED_LEASE_MS,
    },
    admission.now,
  )
}

async function applyToOrder(
  ports: AdmitPorts,
  order: CallOrder,
  event: OrderEvent,
): Promise<Admission> {
  const decision = decideOrder(order, event, ports.clock.now())
  if (decision.kind === 'ignored') return { kind: 'passed' }
  const isSaved = await commitCall(ports, {
    orderId: order.id,
    order: { before: order, after: decision.order },
    effects: decision.effects,
  })
  return { kind: isSaved ? 'moved' : 'passed' }
}

/** Whoever gave the permit back in between saw nobody waiting for it, so it is looked at once more. */
async function blockOrder(ports: AdmitPorts, order: CallOrder, permit: string): Promise<Admission> {
  const admission = await applyToOrder(ports, order, { type: 'blocked', by: permit })
  if (admission.kind === 'moved' && (await roomOf(ports, permit, order)) > 0) {
    await unblockOrders(ports, order.organizationId, permit)
  }
  return admission
}

type Acquired =
  | { readonly kind: 'held'; readonly held: readonly HeldPermit[] }
  | { readonly kind: 'full'; readonly claim: PermitClaim }

async function acquireAll(
  ports: AdmitPorts,
  request: {
    readonly order: CallOrder
    readonly organization: Organization
    readonly campaign: Campaign | null
    readonly holder: string
  },
): Promise<Acquired> {
  const { order, organization, campaign, holder } = request
  const { trunk } = ports.limits
  const claims = permitClaims(order, {
    organization: organization.maxConcurrentCalls,
    trunk: { id: trunk.id, cap: trunk.maxConcurrentCalls },
    campaign: campaign?.maxConcurrentCalls ?? null,
  })
  const now = ports.clock.now()
  const held: HeldPermit[] = []
  for (const claim of claims) {
    const permit = await ports.permits.acquire({
      scope: claim.scope,
      cap: claim.cap,
      holder,
      now,
      until: now + PERMIT_UNCLAIMED_MS,
    })
    if (permit === null) {
      await releasePermits(ports, {
        organizationId: order.organizationId,
        permits: held,
        holder,
      })
      return { kind: 'full', claim }
    }
    held.push(permit)
  }
  return { kind: 'held', held }
}
