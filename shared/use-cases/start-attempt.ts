import type { CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import { mayDial } from '#shared/domain/call-order/may-dial.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import {
  DIAL_LEASE_MS,
  DIAL_WITHIN_MS,
  PERMIT_CLAIMED_MS,
  RINGING_MARGIN_MS,
} from '#shared/domain/lease.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'
import type { DialResult } from '#shared/ports/telephony.ts'

import { campaignGate } from './campaign-gate.ts'
import { changeAttempt } from './change-attempt.ts'
import type { PermitPorts } from './release-permits.ts'
import { takeBackAttempt } from './take-back-attempt.ts'

/** A carrier that surely did not place the call is asked this often within one attempt. */
const DIALS_MAX = 3

export type StartPorts = PermitPorts & Pick<ServicePorts, 'telephony' | 'suppressions' | 'limits'>

/**
 * `dialled`: a phone rings, or may ring. `refused`: the carrier did not place the call. `passed`:
 * the attempt was not for this process to dial (any more).
 */
export type StartResult = 'dialled' | 'refused' | 'passed'

/**
 * Dials an admitted attempt, or answers the call that came in. The claim comes first and is won by exactly one; the carrier is asked
 * only after it. A crash in between loses the dial, and never makes a second one: the attempt's
 * lease runs out and the sweep looks after it.
 */
export async function startAttempt(
  ports: StartPorts,
  input: {
    readonly orderId: string
    readonly number: number
    /** Who claims: the runtime process. */
    readonly owner: string
    readonly mediaUrl: string
  },
): Promise<StartResult> {
  const target = { orderId: input.orderId, number: input.number }
  let isBarred = false
  const claim = await changeAttempt(ports, target, async (attempt, order) => {
    if (attempt.leaseUntil === null || attempt.leaseUntil <= ports.clock.now()) return null
    isBarred = await mayNotStart(ports, order, attempt)
    if (isBarred) return null
    const leaseUntil = ports.clock.now() + DIAL_LEASE_MS
    return { type: 'claimed', owner: input.owner, leaseUntil }
  })
  if (isBarred) await takeBackAttempt(ports, target)
  if (claim.kind === 'ignored' || claim.attempt.endedAt !== null) return 'passed'
  const { attempt, order } = claim
  const until = ports.clock.now() + PERMIT_CLAIMED_MS
  const held = await Promise.all(
    attempt.permits.map((permit) => ports.permits.extend(permit, attempt.id, until)),
  )
  // Whoever claims so late that a permit went to another call may not dial beside that call.
  const result =
    held.every(Boolean) || order.direction === 'inbound'
      ? await dial(ports, { attempt, order, mediaUrl: input.mediaUrl })
      : PERMIT_LOST
  if (result === null) return 'dialled'
  if (result.kind === 'placed') return followDial(ports, target, result.carrierCallId)
  const { sipCode, reason } = result
  const cause = { sipCode, reason, q850: null, endedBy: 'carrier' } as const
  await changeAttempt(ports, target, () => ({ type: 'refused', cause }))
  return 'refused'
}

/** A call whose attempt was given up while the carrier answered is hung up: nobody looks after it. */
async function followDial(
  ports: StartPorts,
  target: { readonly orderId: string; readonly number: number },
  carrierCallId: string,
): Promise<StartResult> {
  let isOver = false
  await changeAttempt(ports, target, (attempt) => {
    isOver = attempt.endedAt !== null
    const leaseMs = ports.limits.ringTimeoutSecs * 1000 + RINGING_MARGIN_MS
    return { type: 'placed', carrierCallId, leaseUntil: ports.clock.now() + leaseMs }
  })
  if (isOver) await ports.telephony.hangUp(carrierCallId)
  return 'dialled'
}

const PERMIT_LOST: DialResult = { kind: 'refused', sipCode: null, reason: 'permit_lost' }

/** Its campaign was stopped or its window has closed while the attempt waited for the dial. */
async function mayNotStart(
  ports: StartPorts,
  order: CallOrder,
  attempt: CallAttempt,
): Promise<boolean> {
  if (mayDial(order, attempt.number, ports.clock.now()).kind === 'closed') return true
  return isStopped(ports, order)
}

async function isStopped(ports: StartPorts, { campaign }: CallOrder): Promise<boolean> {
  return campaign !== null && (await campaignGate(ports, campaign.campaignId)).kind !== 'open'
}

/** Null when it is not known whether the phone rings: nothing may be done then but wait. */
async function dial(
  ports: StartPorts,
  call: { readonly attempt: CallAttempt; readonly order: CallOrder; readonly mediaUrl: string },
): Promise<DialResult | null> {
  const { attempt, order, mediaUrl } = call
  for (let dials = 1; ; dials += 1) {
    const obstacle = await lastLook(ports, order, attempt)
    if (obstacle !== null) return { kind: 'refused', sipCode: null, reason: obstacle }
    try {
      const { id: attemptId, orderId, number, carrierCallId } = attempt
      const ours = { attemptId, orderId, number, mediaUrl }
      return await (order.direction === 'inbound' && carrierCallId !== null
        ? ports.telephony.answer({ ...ours, carrierCallId })
        : ports.telephony.dial({
            ...ours,
            to: attempt.phoneNumber,
            from: attempt.fromPhoneNumber,
            ringTimeoutSecs: ports.limits.ringTimeoutSecs,
          }))
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error
      const fields = { orderId: attempt.orderId, number: attempt.number, error }
      if (!error.retryable) {
        ports.logger.warn('Nobody knows whether a dial reached the carrier', fields)
        return null
      }
      if (dials >= DIALS_MAX) {
        ports.logger.warn('The carrier could not be reached', fields)
        return { kind: 'refused', sipCode: null, reason: 'carrier_unreachable' }
      }
    }
  }
}

/** The claim and its permits took time, perhaps a lot. Why the phone may not ring now; null: it may. */
async function lastLook(
  ports: StartPorts,
  order: CallOrder,
  attempt: CallAttempt,
): Promise<string | null> {
  if (await isStopped(ports, order)) return 'campaign_stopped'
  // Nothing is read after it: who is on the list from now on was not on it when the phone rang.
  if (await ports.suppressions.has(order.organizationId, order.toPhoneNumber)) return 'suppressed'
  const now = ports.clock.now()
  if (now > (attempt.dialStartedAt ?? now) + DIAL_WITHIN_MS) return 'too_late'
  return mayDial(order, attempt.number, now).kind === 'closed' ? 'window_closed' : null
}
