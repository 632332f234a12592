import { beforeEach, describe, expect, it } from 'vitest'

import { DIAL_LEASE_MS, DIAL_WITHIN_MS, PERMIT_UNCLAIMED_MS } from '#shared/domain/lease.ts'
import type { CallRetryConfig } from '#shared/domain/retry/call-retry-config.ts'
import { cancelCampaign } from '#shared/use-cases/change-campaign.ts'
import { dispatchScope } from '#shared/use-cases/dispatch-scope.ts'
import { startAttempt } from '#shared/use-cases/start-attempt.ts'
import { suppressNumber } from '#shared/use-cases/suppress-number.ts'
import { sweep } from '#shared/use-cases/sweep.ts'
import { ALWAYS } from '#test/support/an-order.ts'
import { campaignStage } from '#test/support/campaign-stage.ts'
import { useCasePorts } from '#test/support/use-case-ports.ts'

/** A Wednesday. */
const NOW = Date.parse('2026-11-18T15:00:00Z')
const SECOND = 1_000

/** Open for one minute more. */
const CLOSING: CallRetryConfig = {
  ...ALWAYS,
  timezone: 'UTC',
  callingWindows: [
    { callingWindowStartTime: '10:00', callingWindowEndTime: '15:01', retryDelaySeconds: 60 },
  ],
}

let stage: ReturnType<typeof useCasePorts>
beforeEach(() => {
  stage = useCasePorts(NOW)
})

/** A row that is admitted and waits for its dial. */
async function admitted(callRetryConfig: CallRetryConfig = ALWAYS): Promise<string> {
  const campaigns = await campaignStage(stage.ports)
  const { id } = await campaigns.create(1, { callRetryConfig })
  await campaigns.work(id)
  await dispatchScope(stage.ports, `CMP#${id}`)
  return campaigns.orderIdOf(id, 0)
}

const start = (orderId: string) =>
  startAttempt(stage.ports, { orderId, number: 1, owner: 'runtime', mediaUrl: 'wss://media' })

const suppress = async (orderId: string) => {
  const order = await stage.ports.calls.findOrder(orderId)
  if (order === null) throw new Error('no order')
  const { organizationId, toPhoneNumber: phoneNumber } = order
  await suppressNumber(stage.ports, { organizationId, phoneNumber, reason: null })
}

describe('between admission and dial', () => {
  it('a call that took its permit over is not disturbed', async () => {
    const { ports, world } = stage
    const orderId = await admitted()
    const order = await ports.calls.findOrder(orderId)
    // Nobody claims it and no sweep runs until its permits are over, and another call gets one.
    world.now += PERMIT_UNCLAIMED_MS
    const scope = `TO#org_1#${order?.toPhoneNumber}`
    const until = world.now + 60 * SECOND
    const other = { scope, cap: 1, holder: 'att_other', now: world.now, until }
    expect(await ports.permits.acquire(other)).not.toBeNull()
    await sweep(ports)
    expect(await start(orderId)).toBe('refused')
    expect(world.dials).toEqual([])
    expect(await ports.calls.findCall(orderId)).toMatchObject({
      order: { status: 'post_processing' },
      attempts: [{ status: 'error', dialError: 'non_classified_error' }],
    })
  })

  it('the window closes: it waits for the next one, and no attempt is spent', async () => {
    const orderId = await admitted(CLOSING)
    // The message was late, and a sweep has kept the attempt alive meanwhile.
    stage.world.now = NOW + 31 * SECOND
    await sweep(stage.ports)
    stage.world.now = NOW + 61 * SECOND
    await sweep(stage.ports)
    expect(await start(orderId)).toBe('passed')
    expect(stage.world.dials).toEqual([])
    const call = await stage.ports.calls.findCall(orderId)
    expect(call).toMatchObject({ order: { attemptsMade: 0 }, attempts: [] })
    expect(await stage.ports.permits.count('ORG#org_1', stage.world.now)).toBe(0)
    await dispatchScope(stage.ports, call?.order.scope ?? '')
    expect(await stage.ports.calls.findOrder(orderId)).toMatchObject({
      status: 'scheduled',
      dueAt: Date.parse('2026-11-19T10:00:00Z'),
    })
  })

  it('the number is suppressed: it does not ring, now or ever', async () => {
    const orderId = await admitted()
    await suppress(orderId)
    expect(await start(orderId)).toBe('refused')
    expect(stage.world.dials).toEqual([])
    expect(await stage.ports.calls.findCall(orderId)).toMatchObject({
      attempts: [{ status: 'error', dialError: 'precondition_failed' }],
    })
  })
})

describe('between claim and dial', () => {
  it('a process that stood still for too long does not dial any more', async () => {
    const orderId = await admitted()
    const { ports, world } = stage
    const extend = ports.permits.extend.bind(ports.permits)
    ports.permits.extend = async (...lease) => {
      const isHeld = await extend(...lease)
      world.now = NOW + DIAL_WITHIN_MS + 1
      return isHeld
    }
    expect(await start(orderId)).toBe('refused')
    expect(world.dials).toEqual([])
  })

  it('a campaign that was stopped meanwhile does not ring any more', async () => {
    const orderId = await admitted()
    const { ports, world } = stage
    const extend = ports.permits.extend.bind(ports.permits)
    const campaignId = (await ports.calls.findOrder(orderId))?.campaign?.campaignId ?? ''
    ports.permits.extend = async (...lease) => {
      await cancelCampaign(ports, { organizationId: 'org_1', campaignId })
      return extend(...lease)
    }
    expect(await start(orderId)).toBe('refused')
    expect(world.dials).toEqual([])
  })

  it('a call that was given up before the carrier answered is hung up', async () => {
    const orderId = await admitted()
    const { ports, world } = stage
    world.dial = async () => {
      world.now += DIAL_LEASE_MS
      await sweep(ports)
      return { kind: 'placed', carrierCallId: 'late' }
    }
    await start(orderId)
    expect(world.hungUp).toEqual(['late'])
  })
})
