import type { HeldPermit } from '#shared/domain/call-attempt/attempt.ts'
import { newCallAttempt } from '#shared/domain/call-attempt/decide.ts'
import { decideOrder, type OrderEvent } from '#shared/domain/call-order/decide.ts'
import { mayDial } from '#shared/domain/call-order/may-dial.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { Campaign } from '#shared/domain/campaign/campaign.ts'
import { PERMIT_UNCLAIMED_MS, UNCLAIMED_LEASE_MS } from '#shared/domain/lease.ts'
import type { Organization } from '#shared/domain/organization.ts'
import { permitClaims } from '#shared/domain/permit-scope.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { commitCall } from './commit-call.ts'
import { assistantReferenceOf } from './find-assistant-of.ts'

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
  /** Not now: closed window, changed meanwhile, or a cap that concerns this order alone. */
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
  if (order === null || order.dueAt === null || order.dueAt > now) return { kind: 'passed' }
  const number = order.attemptsMade + 1
  const window = mayDial(order, number, now)
  if (window.kind === 'closed') {
    const event: OrderEvent =
      window.opensAt === null ? { type: 'fault' } : { type: 'deferred', dueAt: window.opensAt }
    await applyToOrder(ports, order, event)
    return { kind: 'passed' }
  }
  if (await ports.suppressions.has(order.organizationId, order.toPhoneNumber)) {
    await applyToOrder(ports, order, { type: 'refused' })
    return { kind: 'passed' }
  }
  const organization = await input.organizationOf(order.organizationId)
  if (organization === null) throw new Error(`Organization missing: ${order.organizationId}`)
  const attemptId = ports.ids.next('att')
  const permits = await acquireAll(ports, {
    order,
    organization,
    campaign: input.campaign,
    holder: attemptId,
  })
  if (permits.kind === 'full') {
    await applyToOrder(ports, order, { type: 'due' })
    return permits.blocks === 'scope' ? { kind: 'scopeBlocked', until: null } : { kind: 'passed' }
  }
  const { trunk } = ports.limits
  const pace = await ports.pacing.take({
    trunk: trunk.id,
    perSecond: trunk.callsPerSecond,
    burst: trunk.callsPerSecond,
    now,
  })
  if (pace.kind === 'wait') {
    await releaseAll(ports, permits.held, attemptId)
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
    await releaseAll(ports, permits.held, attemptId)
    return { kind: 'passed' }
  }
  return { kind: 'admitted' }
}

/** False when the order cannot be admitted any more, or somebody else did it first. */
async function startCalling(
  ports: AdmitPorts,
  admission: {
    readonly order: CallOrder
    readonly from: string
    readonly attemptId: string
    readonly permits: readonly HeldPermit[]
    readonly now: number
  },
): Promise<boolean> {
  const { order, from, now } = admission
  const assistant = await assistantReferenceOf(ports, order)
  const event = { type: 'admitted', fromPhoneNumber: from } as const
  const decision = decideOrder({ ...order, assistant }, event, now)
  if (decision.kind === 'ignored') return false
  const number = decision.order.attemptsMade
  const attempt = newCallAttempt(
    {
      id: admission.attemptId,
      orderId: order.id,
      organizationId: order.organizationId,
      number,
      phoneNumber: order.toPhoneNumber,
      fromPhoneNumber: from,
      permits: admission.permits,
      leaseUntil: now + UNCLAIMED_LEASE_MS,
    },
    now,
  )
  return commitCall(ports, {
    orderId: order.id,
    order: { before: order, after: decision.order },
    attempt: { before: null, after: attempt },
    effects: [...decision.effects, { kind: 'startAttempt', orderId: order.id, number }],
  })
}

async function applyToOrder(ports: AdmitPorts, order: CallOrder, event: OrderEvent): Promise<void> {
  const decision = decideOrder(order, event, ports.clock.now())
  if (decision.kind === 'ignored') return
  await commitCall(ports, {
    orderId: order.id,
    order: { before: order, after: decision.order },
    effects: decision.effects,
  })
}

type Acquired =
  | { readonly kind: 'held'; readonly held: readonly HeldPermit[] }
  | { readonly kind: 'full'; readonly blocks: 'order' | 'scope' }

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
      await releaseAll(ports, held, holder)
      return { kind: 'full', blocks: claim.blocks }
    }
    held.push(permit)
  }
  return { kind: 'held', held }
}

/** Gives permits back; harmless when they are already back. */
export async function releaseAll(
  ports: Pick<ServicePorts, 'permits'>,
  permits: readonly HeldPermit[],
  holder: string,
): Promise<void> {
  for (const permit of permits) await ports.permits.release(permit, holder)
}
