import type { CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import { mayDial } from '#shared/domain/call-order/may-dial.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { DIAL_LEASE_MS, PERMIT_CLAIMED_MS, RINGING_MARGIN_MS } from '#shared/domain/lease.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'
import type { DialResult } from '#shared/ports/telephony.ts'

import { campaignGate, type CampaignGate } from './campaign-gate.ts'
import { changeAttempt } from './change-attempt.ts'
import type { CommitPorts } from './commit-call.ts'
import { takeBackAttempt } from './take-back-attempt.ts'

/** A carrier that surely did not place the call is asked this often within one attempt. */
const DIALS_MAX = 3

export type StartPorts = CommitPorts & Pick<ServicePorts, 'telephony' | 'permits' | 'limits'>

/**
 * `dialled`: a phone rings, or may ring. `refused`: the carrier did not place the call. `passed`:
 * the attempt was not for this process to dial (any more).
 */
export type StartResult = 'dialled' | 'refused' | 'passed'

/**
 * Dials an admitted attempt. The claim comes first and is won by exactly one; the carrier is asked
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
  let shut = null as ShutGate | null
  const claim = await changeAttempt(ports, target, async (attempt, order) => {
    if (attempt.leaseUntil === null || attempt.leaseUntil <= ports.clock.now()) return null
    shut = await shutGateOf(ports, order)
    if (shut !== null) return null
    const leaseUntil = ports.clock.now() + DIAL_LEASE_MS
    return { type: 'claimed', owner: input.owner, leaseUntil }
  })
  if (shut !== null) await takeBackAttempt(ports, target, shut.campaign)
  if (claim.kind === 'ignored' || claim.attempt.endedAt !== null) return 'passed'
  const { attempt, order } = claim
  const until = ports.clock.now() + PERMIT_CLAIMED_MS
  const held = await Promise.all(
    attempt.permits.map((permit) => ports.permits.extend(permit, attempt.id, until)),
  )
  // Whoever claims so late that a permit went to another call may not dial beside that call.
  const result = held.every(Boolean)
    ? await dial(ports, { attempt, order, mediaUrl: input.mediaUrl })
    : PERMIT_LOST
  if (result === null) return 'dialled'
  await changeAttempt(ports, target, () =>
    result.kind === 'placed'
      ? {
          type: 'placed',
          carrierCallId: result.carrierCallId,
          leaseUntil: ports.clock.now() + ports.limits.ringTimeoutSecs * 1000 + RINGING_MARGIN_MS,
        }
      : {
          type: 'refused',
          cause: {
            sipCode: result.sipCode,
            reason: result.reason,
            q850: null,
            endedBy: 'carrier',
          },
        },
  )
  return result.kind === 'placed' ? 'dialled' : 'refused'
}

const PERMIT_LOST: DialResult = { kind: 'refused', sipCode: null, reason: 'permit_lost' }

type ShutGate = Exclude<CampaignGate, { readonly kind: 'open' }>

/** Non-null when its campaign was paused or cancelled while the attempt waited for the dial. */
async function shutGateOf(ports: StartPorts, order: CallOrder): Promise<ShutGate | null> {
  if (order.campaign === null) return null
  const gate = await campaignGate(ports, order.campaign.campaignId)
  return gate.kind === 'open' ? null : gate
}

/** Null when it is not known whether the phone rings: nothing may be done then but wait. */
async function dial(
  ports: StartPorts,
  call: { readonly attempt: CallAttempt; readonly order: CallOrder; readonly mediaUrl: string },
): Promise<DialResult | null> {
  const { attempt, order, mediaUrl } = call
  for (let dials = 1; ; dials += 1) {
    // The claim and its permits took time; this is the last look at the clock before the dial.
    if (mayDial(order, attempt.number, ports.clock.now()).kind === 'closed') {
      return { kind: 'refused', sipCode: null, reason: 'window_closed' }
    }
    try {
      return await ports.telephony.dial({
        attemptId: attempt.id,
        orderId: attempt.orderId,
        number: attempt.number,
        to: attempt.phoneNumber,
        from: attempt.fromPhoneNumber,
        mediaUrl,
        ringTimeoutSecs: ports.limits.ringTimeoutSecs,
      })
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
