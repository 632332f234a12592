import type { CallAttempt, HeldPermit } from '#shared/domain/call-attempt/attempt.ts'
import { newCallAttempt } from '#shared/domain/call-attempt/decide.ts'
import { decideOrder, type OrderEvent } from '#shared/domain/call-order/decide.ts'
import { mayDial } from '#shared/domain/call-order/may-dial.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { PERMIT_UNCLAIMED_MS, UNCLAIMED_LEASE_MS } from '#shared/domain/lease.ts'
import { isOwnPermit, ownPermits, type PermitClaim } from '#shared/domain/permit-scope.ts'
import type { AssistantStore } from '#shared/ports/assistant-store.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { commitCall } from './commit-call.ts'
import { assistantReferenceOf } from './find-assistant-of.ts'
import { releasePermits, unblockOrders, type PermitPorts } from './release-permits.ts'

export type AdmitPorts = PermitPorts & Pick<ServicePorts, 'suppressions'>

export type Admission =
  | { readonly kind: 'admitted' }
  /** Not now: it waits for its window or for a permit of its own, or will not be called at all. */
  | { readonly kind: 'moved' }
  /** Somebody else changed it meanwhile. */
  | { readonly kind: 'passed' }
  /** A permit that every order of its scope needs has no room. */
  | { readonly kind: 'full'; readonly permit: string }

/**
 * Decides whether a due order is called now: window, do-not-call list, permits, then one transaction
 * that makes the order `calling` and creates the attempt. Of any number of dispatchers exactly one
 * gets it through, because the order's version is part of it. The caller keeps the trunk's pace.
 */
export async function admitOrder(
  ports: AdmitPorts,
  input: {
    /** As it was a moment ago. */
    readonly order: CallOrder
    /** The assistants, possibly as they were a moment ago. */
    readonly assistants: Pick<AssistantStore, 'find' | 'findVersion'>
    /** The permits that it needs like every order of its scope, in the order in which they are taken. */
    readonly shared: readonly PermitClaim[]
    /** Calls come from here where the order names no number. */
    readonly defaultFromPhoneNumber: string
  },
): Promise<Admission> {
  const { order } = input
  const now = ports.clock.now()
  if (order.dueAt === null || order.dueAt > now || order.blockedBy !== null) {
    return { kind: 'passed' }
  }
  const window = mayDial(order, order.attemptsMade + 1, now)
  if (window.kind === 'closed') {
    const { opensAt } = window
    return opensAt === null
      ? change(ports, order, { type: 'fault' })
      : putOff(ports, order, opensAt)
  }
  if (await ports.suppressions.has(order.organizationId, order.toPhoneNumber)) {
    return change(ports, order, { type: 'refused' })
  }
  const holder = ports.ids.next('att')
  const permits = await acquireAll(ports, { order, shared: input.shared, holder })
  if (permits.kind === 'full') {
    const { permit } = permits
    if (isOwnPermit(permit)) return block(ports, order, permit)
    await change(ports, order, { type: 'due' })
    return permits
  }
  const isAdmitted = await startCalling(ports, {
    order,
    assistants: input.assistants,
    from: order.fromPhoneNumber ?? input.defaultFromPhoneNumber,
    attemptId: holder,
    permits: permits.held,
    now,
  })
  if (isAdmitted) return { kind: 'admitted' }
  await releasePermits(ports, {
    organizationId: order.organizationId,
    permits: permits.held,
    holder,
  })
  return { kind: 'passed' }
}

interface NewAttempt {
  readonly order: CallOrder
  readonly assistants: Pick<AssistantStore, 'find' | 'findVersion'>
  readonly attemptId: string
  readonly from: string
  readonly permits: readonly HeldPermit[]
  readonly now: number
}

/** Another dispatcher may come in between this often. */
const CONFLICTS_MAX = 4

/**
 * False when the order cannot be admitted any more, or somebody else did it first. Another dispatcher
 * that found one of our permits taken may have put the order aside: with that permit in hand we go on.
 */
async function startCalling(ports: AdmitPorts, admission: NewAttempt): Promise<boolean> {
  const number = admission.order.attemptsMade + 1
  let order: CallOrder | null = admission.order
  for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
    if (order === null || order.attemptsMade + 1 !== number) return false
    const assistant = await assistantReferenceOf(admission, order)
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

/** The order is not looked at again before that moment (epoch ms). */
export function putOff(ports: AdmitPorts, order: CallOrder, dueAt: number): Promise<Admission> {
  return change(ports, order, { type: 'deferred', dueAt })
}

async function change(ports: AdmitPorts, order: CallOrder, event: OrderEvent): Promise<Admission> {
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
async function block(ports: AdmitPorts, order: CallOrder, permit: string): Promise<Admission> {
  const admission = await change(ports, order, { type: 'blocked', by: permit })
  if (admission.kind === 'moved') await unblockOrders(ports, order.organizationId, permit)
  return admission
}

type Acquired =
  | { readonly kind: 'held'; readonly held: readonly HeldPermit[] }
  | { readonly kind: 'full'; readonly permit: string }

async function acquireAll(
  ports: AdmitPorts,
  request: {
    readonly order: CallOrder
    readonly shared: readonly PermitClaim[]
    readonly holder: string
  },
): Promise<Acquired> {
  const { order, shared, holder } = request
  const now = ports.clock.now()
  const held: HeldPermit[] = []
  for (const { scope, cap } of [...ownPermits(order), ...shared]) {
    const until = now + PERMIT_UNCLAIMED_MS
    const permit = await ports.permits.acquire({ scope, cap, holder, now, until })
    if (permit === null) {
      const { organizationId } = order
      await releasePermits(ports, { organizationId, permits: held, holder })
      return { kind: 'full', permit: scope }
    }
    held.push(permit)
  }
  return { kind: 'held', held }
}
