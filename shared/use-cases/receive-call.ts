import type { CallAttempt, HeldPermit } from '#shared/domain/call-attempt/attempt.ts'
import { newCallAttempt } from '#shared/domain/call-attempt/decide.ts'
import type { InboundCall } from '#shared/domain/call-attempt/inbound-call.ts'
import { decideOrder, newCallOrder } from '#shared/domain/call-order/decide.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { derivedDigits, type Hash } from '#shared/domain/derived-digits.ts'
import { PERMIT_UNCLAIMED_MS, UNCLAIMED_LEASE_MS } from '#shared/domain/lease.ts'
import { ownPermits, sharedPermits } from '#shared/domain/permit-scope.ts'
import { recipientTimeZones } from '#shared/domain/recipient-time-zones.ts'
import { DEFAULT_CALL_RETRY_CONFIG } from '#shared/domain/retry/call-retry-config.ts'
import { organizationScope } from '#shared/domain/scope.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { commitCall } from './commit-call.ts'
import type { PermitPorts } from './release-permits.ts'
import { settleCampaign } from './settle-campaign.ts'

/** Somebody else may change the order that is called back this often before a call gives up. */
const CONFLICTS_MAX = 8

export type ReceivePorts = PermitPorts &
  Pick<ServicePorts, 'assistants' | 'organizations' | 'phoneNumbers' | 'limits'>

export type Reception =
  /** A voice runtime answers it. */
  | { readonly kind: 'accepted'; readonly orderId: string }
  /** Nobody of ours can be reached under that number. */
  | { readonly kind: 'rejected'; readonly reason: 'unknown_number' | 'no_assistant' }

/**
 * A call to one of our numbers becomes an order of its own. When it comes from somebody whom we would
 * have called again, that order is cancelled in the same transaction, and the new one names it (spec
 * 3.1): of this and the next dial exactly one comes first. A carrier may report a call twice: its ids
 * follow from the carrier's, so it is received once.
 */
export async function receiveCall(
  ports: ReceivePorts,
  { call, hash }: { readonly call: InboundCall; readonly hash: Hash },
): Promise<Reception> {
  const owner = await ports.phoneNumbers.findOwner(call.to)
  if (owner === null) return { kind: 'rejected', reason: 'unknown_number' }
  const { organizationId } = owner
  const number = await ports.phoneNumbers.find(organizationId, owner.id)
  const digits = derivedDigits(hash, `${call.provider}|${call.carrierCallId}`)
  const ids = { orderId: `call_${digits}`, attemptId: `att_${digits}` }
  const { from } = call
  const pending = from === null ? null : await ports.calls.findRetryPending(organizationId, from)
  for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
    if ((await ports.calls.findOrder(ids.orderId)) !== null) break
    // Should it be dialled by now, this call answers it all the same.
    const calledBack = pending === null ? null : await ports.calls.findOrder(pending)
    const inbound = await newInbound(ports, {
      call,
      ids,
      organizationId,
      calledBack,
      inboundAssistantId: number?.inboundAssistantId ?? null,
    })
    if (inbound === null) return { kind: 'rejected', reason: 'no_assistant' }
    if (await store(ports, { ...inbound, calledBack })) {
      const campaignId = calledBack?.campaign?.campaignId
      if (campaignId !== undefined) await settleCampaign(ports, campaignId)
      break
    }
  }
  return { kind: 'accepted', orderId: ids.orderId }
}

interface NewInbound {
  readonly call: InboundCall
  readonly ids: { readonly orderId: string; readonly attemptId: string }
  readonly organizationId: string
  readonly calledBack: CallOrder | null
  readonly inboundAssistantId: string | null
}

/** Null when nobody conducts calls to this number. */
async function newInbound(
  ports: ReceivePorts,
  input: NewInbound,
): Promise<{ readonly order: CallOrder; readonly attempt: CallAttempt } | null> {
  const { call, ids, organizationId, calledBack } = input
  const assistant = await assistantFor(ports, input)
  if (assistant === null) return null
  const now = ports.clock.now()
  const { order } = newCallOrder(
    {
      id: ids.orderId,
      organizationId,
      direction: 'inbound',
      toPhoneNumber: call.to,
      fromPhoneNumber: call.from,
      assistant,
      scope: organizationScope(organizationId),
      campaign: null,
      concurrency: null,
      retryConfig: DEFAULT_CALL_RETRY_CONFIG,
      timeZones: recipientTimeZones({
        configured: null,
        contactVariable: null,
        e164: call.from ?? call.to,
      }).zones,
      warnings: [],
      forceNow: false,
      scheduledAt: null,
      promptVariables: calledBack?.promptVariables ?? {},
      metadata: {},
      isTest: call.isTest,
      callbackFrom: calledBack && { callId: calledBack.id, createdAt: calledBack.createdAt },
    },
    now,
  )
  const attempt = newCallAttempt(
    {
      id: ids.attemptId,
      orderId: order.id,
      organizationId,
      number: 1,
      phoneNumber: call.to,
      fromPhoneNumber: call.from ?? '',
      permits: await permitsFor(ports, order, ids.attemptId),
      leaseUntil: now + UNCLAIMED_LEASE_MS,
    },
    now,
  )
  const { carrierCallId } = call
  return { order, attempt: { ...attempt, carrierCallId, status: 'ringing', ringingAt: now } }
}

/** The number's own assistant, or else the one that the caller was called by. */
async function assistantFor(
  ports: Pick<ServicePorts, 'assistants'>,
  { organizationId, inboundAssistantId, calledBack }: NewInbound,
): Promise<CallOrder['assistant'] | null> {
  const found =
    inboundAssistantId === null
      ? null
      : await ports.assistants.find(organizationId, inboundAssistantId)
  if (found === null) return calledBack?.assistant ?? null
  return { kind: 'stored', assistantId: found.id, version: found.version }
}

/**
 * Who calls us is answered, whatever is full. What is free is taken, so that fewer calls are begun
 * beside it, and above all none to the person who is on the line.
 */
async function permitsFor(
  ports: ReceivePorts,
  order: CallOrder,
  holder: string,
): Promise<HeldPermit[]> {
  const organization = await ports.organizations.findOrganization(order.organizationId)
  const { trunk } = ports.limits
  const now = ports.clock.now()
  const claims = [
    ...ownPermits({ ...order, toPhoneNumber: order.fromPhoneNumber ?? '' }),
    ...sharedPermits({
      organization: { id: order.organizationId, cap: organization?.maxConcurrentCalls ?? 0 },
      trunk: { id: trunk.id, cap: trunk.maxConcurrentCalls },
      campaign: null,
    }),
  ]
  const held = await Promise.all(
    claims.map(({ scope, cap }) =>
      ports.permits.acquire({ scope, cap, holder, now, until: now + PERMIT_UNCLAIMED_MS }),
    ),
  )
  return held.filter((permit) => permit !== null)
}

async function store(
  ports: ReceivePorts,
  inbound: {
    readonly order: CallOrder
    readonly attempt: CallAttempt
    readonly calledBack: CallOrder | null
  },
): Promise<boolean> {
  const { order, attempt, calledBack } = inbound
  const cancel =
    calledBack === null
      ? null
      : decideOrder(calledBack, { type: 'prospectCalledBack' }, ports.clock.now())
  const isCancelled = calledBack !== null && cancel?.kind === 'changed'
  return commitCall(ports, {
    orderId: order.id,
    order: { before: null, after: order },
    attempt: { before: null, after: attempt },
    ...(isCancelled && { calledBack: { before: calledBack, after: cancel.order } }),
    effects: [
      ...(isCancelled ? cancel.effects : []),
      { kind: 'startAttempt', orderId: order.id, number: 1 },
    ],
  })
}
