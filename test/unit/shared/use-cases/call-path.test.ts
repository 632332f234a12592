import { beforeEach, describe, expect, test } from 'vitest'

import { organizationScope } from '#shared/domain/scope.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import { adoptAttempt } from '#shared/use-cases/adopt-attempt.ts'
import { announceCall } from '#shared/use-cases/announce-call.ts'
import { applyCarrierEvent } from '#shared/use-cases/apply-carrier-event.ts'
import { cancelCall } from '#shared/use-cases/change-order.ts'
import { concludeAttempt } from '#shared/use-cases/conclude-attempt.ts'
import { deliverWebhook } from '#shared/use-cases/deliver-webhook.ts'
import { dispatchScope } from '#shared/use-cases/dispatch-scope.ts'
import { expireLease } from '#shared/use-cases/expire-lease.ts'
import { finishSession } from '#shared/use-cases/finish-session.ts'
import { placeCall } from '#shared/use-cases/place-call.ts'
import { startAttempt } from '#shared/use-cases/start-attempt.ts'
import { sweep } from '#shared/use-cases/sweep.ts'
import { ALWAYS } from '#test/support/an-order.ts'
import { assistantSettings } from '#test/support/assistant-settings.ts'
import { useCasePorts } from '#test/support/use-case-ports.ts'

const NOW = Date.parse('2026-11-18T15:00:00Z')
const ORG = 'org_1'
const SCOPE = organizationScope(ORG)
const NUMBER = '+12025550100'

let stage: ReturnType<typeof useCasePorts>
beforeEach(async () => {
  stage = useCasePorts(NOW)
  const { organizations, calls } = stage.ports
  await organizations.bootstrap({
    organization: {
      id: ORG,
      name: 'Test',
      maxConcurrentCalls: 5,
      defaultFromPhoneNumber: '+12025550199',
      webhookSecrets: [],
      createdAt: NOW,
    },
    user: {
      id: 'user_1',
      organizationId: ORG,
      email: 'a@b.test',
      firstName: '',
      lastName: '',
      hasCompletedOnboarding: false,
      createdAt: NOW,
      updatedAt: NOW,
    },
    apiKey: {
      id: 'key_1',
      organizationId: ORG,
      userId: 'user_1',
      hash: 'h',
      mode: 'test',
      scopes: ['*'],
      createdAt: NOW,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      hint: 'last',
      name: 'A key',
    },
  })
  await calls.registerScope(SCOPE)
})

async function place(to = NUMBER): Promise<string> {
  const placed = await placeCall(stage.ports, {
    organizationId: ORG,
    isTest: true,
    toPhoneNumber: to,
    fromPhoneNumber: null,
    assistant: {
      kind: 'inline',
      settings: assistantSettings({ callRetryConfig: ALWAYS, webhookUrl: 'https://hook.test' }),
    },
    concurrency: null,
    forceNow: false,
    metadata: {},
    promptVariables: {},
    scheduledAt: null,
  })
  if (placed.kind !== 'placed') throw new Error(placed.reason)
  return placed.order.id
}

const start = (orderId: string) =>
  startAttempt(stage.ports, { orderId, number: 1, owner: 'runtime', mediaUrl: 'wss://media' })
const callOf = async (orderId: string) => {
  const call = await stage.ports.calls.findCall(orderId)
  if (call === null) throw new Error('no call')
  return { order: call.order, attempt: call.attempts[0] }
}
const permitsHeld = () => stage.ports.permits.count(SCOPE, stage.world.now)

/** Up to a call in progress. */
async function talking(): Promise<{ orderId: string; fence: number }> {
  const orderId = await place()
  await dispatchScope(stage.ports, SCOPE)
  await start(orderId)
  const adoption = await adoptAttempt(stage.ports, { orderId, number: 1 })
  if (adoption.kind !== 'adopted') throw new Error(adoption.reason)
  return { orderId, fence: adoption.fence }
}

async function talked(): Promise<string> {
  const { orderId, fence } = await talking()
  await finishSession(stage.ports, {
    orderId,
    number: 1,
    fence,
    at: NOW,
    result: 'human',
    endedBy: 'user',
    endReason: null,
    transcript: [{ role: 'user', content: 'Yes.' }],
    speechEvents: [],
    recordingKey: null,
  })
  return orderId
}

describe('admission', () => {
  test('a due order becomes an attempt, and its message is sent', async () => {
    const orderId = await place()
    expect(await dispatchScope(stage.ports, SCOPE)).toEqual({ admitted: 1 })
    expect((await callOf(orderId)).order.status).toBe('calling')
    expect(stage.world.sent).toContainEqual({
      queue: 'call-start',
      message: { orderId, number: 1 },
      delaySecs: 0,
    })
    expect(await permitsHeld()).toBe(1)
  })

  test('two orders for one person are not called at once', async () => {
    const [first, second] = [await place(), await place()]
    expect(await dispatchScope(stage.ports, SCOPE)).toEqual({ admitted: 1 })
    const statuses = [(await callOf(first)).order.status, (await callOf(second)).order.status]
    expect(statuses).toEqual(['calling', 'queued_for_calling'])
    expect(await permitsHeld()).toBe(1)
  })

  test('dispatches at the same time admit an order once', async () => {
    const orderId = await place()
    await Promise.all(Array.from({ length: 10 }, () => dispatchScope(stage.ports, SCOPE)))
    expect((await stage.ports.calls.findCall(orderId))?.attempts).toHaveLength(1)
    expect(await permitsHeld()).toBe(1)
  })
})

test('an order that becomes due during the look is dispatched at once, not by the sweep', async () => {
  const { calls } = stage.ports
  const orderId = await place()
  const order = await calls.findOrder(orderId)
  if (order === null) throw new Error('no order')
  const later = { ...order, version: order.version + 1, dueAt: NOW + 10 }
  await calls.save({ order: { before: order, after: later }, effects: [] })
  const nextDueAt = calls.nextDueAt.bind(calls)
  calls.nextDueAt = async (scope) => {
    stage.world.now += 20
    return nextDueAt(scope)
  }
  stage.world.sent.length = 0
  expect(await dispatchScope(stage.ports, SCOPE)).toEqual({ admitted: 0 })
  expect(stage.world.sent).toMatchObject([{ queue: 'dispatch', delaySecs: 0 }])
})

describe('dialling', () => {
  test('messages that come twice dial once', async () => {
    const orderId = await place()
    await dispatchScope(stage.ports, SCOPE)
    const answers = await Promise.all([start(orderId), start(orderId), start(orderId)])
    expect(answers.toSorted()).toEqual(['dialled', 'passed', 'passed'])
    expect(stage.world.dials).toHaveLength(1)
  })

  test('a cancel before the claim withdraws the attempt: the phone never rings', async () => {
    const orderId = await place()
    await dispatchScope(stage.ports, SCOPE)
    await cancelCall(stage.ports, { organizationId: ORG, orderId })
    expect(await start(orderId)).toBe('passed')
    expect(stage.world.dials).toHaveLength(0)
    const { order, attempt } = await callOf(orderId)
    expect([order.status, attempt?.status, attempt?.dialError]).toEqual([
      'cancelled',
      'error',
      'precondition_failed',
    ])
  })

  test('a cancel after the claim lets the call go on', async () => {
    const { orderId } = await talking()
    await cancelCall(stage.ports, { organizationId: ORG, orderId })
    const { order, attempt } = await callOf(orderId)
    expect([order.status, attempt?.status]).toEqual(['cancelled', 'ongoing'])
  })

  test('a dial of which nobody knows whether it arrived is not made again', async () => {
    const orderId = await place()
    await dispatchScope(stage.ports, SCOPE)
    stage.world.dial = () => Promise.reject(new AdapterError('timeout', { retryable: false }))
    expect(await start(orderId)).toBe('dialled')
    expect(await start(orderId)).toBe('passed')
    expect(stage.world.dials).toHaveLength(1)
  })

  test('a carrier that surely did not get the dial is asked again, three times', async () => {
    const orderId = await place()
    await dispatchScope(stage.ports, SCOPE)
    stage.world.dial = () => Promise.reject(new AdapterError('refused', { retryable: true }))
    expect(await start(orderId)).toBe('refused')
    expect(stage.world.dials).toHaveLength(3)
    expect((await callOf(orderId)).attempt?.dialError).toBe('non_classified_error')
  })

  test('nothing is dialled once the window has closed in between', async () => {
    const orderId = await place()
    await dispatchScope(stage.ports, SCOPE)
    const { order } = await callOf(orderId)
    const windows = [
      { callingWindowStartTime: '00:00', callingWindowEndTime: '00:01', retryDelaySeconds: 0 },
    ]
    const closed = { ...order, retryConfig: { ...order.retryConfig, callingWindows: windows } }
    await stage.ports.calls.save({
      order: { before: order, after: { ...closed, version: order.version + 1 } },
      effects: [],
    })
    await start(orderId)
    expect(stage.world.dials).toHaveLength(0)
  })
})

describe('a holder that died', () => {
  const later = (ms: number) => {
    stage.world.now += ms
  }

  test('nobody claimed: the attempt is offered again', async () => {
    const orderId = await place()
    await dispatchScope(stage.ports, SCOPE)
    later(31_000)
    stage.world.sent.length = 0
    await sweep(stage.ports)
    expect(stage.world.sent).toContainEqual({
      queue: 'call-start',
      message: { orderId, number: 1 },
      delaySecs: 0,
    })
    expect(await start(orderId)).toBe('dialled')
  })

  test('nobody claimed for ten minutes: it is given up', async () => {
    const orderId = await place()
    await dispatchScope(stage.ports, SCOPE)
    later(601_000)
    await expireLease(stage.ports, { orderId, number: 1 })
    expect((await callOf(orderId)).attempt?.status).toBe('error')
  })

  test('claimed, and the carrier knows nothing of it: the attempt ends, and is not dialled', async () => {
    const orderId = await place()
    await dispatchScope(stage.ports, SCOPE)
    stage.world.dial = () => Promise.reject(new AdapterError('timeout', { retryable: false }))
    await start(orderId)
    later(31_000)
    await sweep(stage.ports)
    expect((await callOf(orderId)).attempt?.status).toBe('error')
    expect(stage.world.dials).toHaveLength(1)
  })

  test('claimed, and the phone rings: it is hung up', async () => {
    const orderId = await place()
    await dispatchScope(stage.ports, SCOPE)
    stage.world.dial = () => Promise.reject(new AdapterError('timeout', { retryable: false }))
    stage.world.findDial = async () => ({ carrierCallId: 'sim-9', isLive: true })
    await start(orderId)
    later(31_000)
    await sweep(stage.ports)
    expect(stage.world.hungUp).toEqual(['sim-9'])
  })

  test('in a call: the attempt ends by the system, permits come back, the retry is planned', async () => {
    const { orderId } = await talking()
    later(31_000)
    await sweep(stage.ports)
    const { attempt } = await callOf(orderId)
    expect([attempt?.status, attempt?.endedBy, attempt?.result]).toEqual([
      'completed',
      'system',
      'unknown',
    ])
    await concludeAttempt(stage.ports, { orderId, number: 1, isLastChance: false })
    expect(await permitsHeld()).toBe(0)
    expect((await callOf(orderId)).order.status).toMatch(/scheduled|queued_for_calling/)
  })

  test('the carrier ends an answered call: its session has a little time to report', async () => {
    const { orderId, fence } = await talking()
    const { attempt } = await callOf(orderId)
    await applyCarrierEvent(stage.ports, {
      orderId,
      number: 1,
      attemptId: attempt?.id ?? '',
      carrierCallId: 'sim-1',
      at: NOW,
      event: {
        type: 'ended',
        cause: { sipCode: 200, reason: null, q850: null, endedBy: 'callee' },
      },
    })
    expect((await callOf(orderId)).attempt?.endedAt).toBeNull()
    expect((await callOf(orderId)).attempt?.leaseUntil).toBe(NOW + 15_000)
    expect(fence).toBe(1)
  })

  test('a session that lost the call reports in vain', async () => {
    const { orderId, fence } = await talking()
    await adoptAttempt(stage.ports, { orderId, number: 1 })
    const report = {
      orderId,
      number: 1,
      fence,
      at: NOW,
      result: 'human' as const,
      endedBy: 'user' as const,
      endReason: null,
      transcript: [],
      speechEvents: [],
      recordingKey: null,
    }
    expect((await finishSession(stage.ports, report)).kind).toBe('ignored')
  })
})

describe('after the call', () => {
  test('capacity is back within a minute, also when the message about the end is lost', async () => {
    await talked()
    expect(await permitsHeld()).toBe(1)
    stage.world.now += 40_000
    await sweep(stage.ports)
    expect(await permitsHeld()).toBe(0)
  })

  test('a model that fails is asked again later; on the last chance the order ends without it', async () => {
    const orderId = await talked()
    stage.world.answer = new AdapterError('down', { retryable: true })
    const conclude = (isLastChance: boolean) =>
      concludeAttempt(stage.ports, { orderId, number: 1, isLastChance })
    await expect(conclude(false)).rejects.toThrow('down')
    expect((await callOf(orderId)).order.status).toBe('post_processing')
    expect(await permitsHeld()).toBe(0)
    await conclude(true)
    expect((await callOf(orderId)).order).toMatchObject({ status: 'completed', outcome: null })
  })

  test('a conclusion that is made twice changes nothing the second time', async () => {
    const orderId = await talked()
    const conclude = () => concludeAttempt(stage.ports, { orderId, number: 1, isLastChance: false })
    await conclude()
    const once = await callOf(orderId)
    await conclude()
    expect(await callOf(orderId)).toEqual(once)
    expect(once.order).toMatchObject({ status: 'completed', outcome: 'interested' })
  })

  async function announced(): Promise<string> {
    const orderId = await talked()
    await concludeAttempt(stage.ports, { orderId, number: 1, isLastChance: false })
    const announce = () =>
      announceCall(stage.ports, { orderId, event: 'call.completed' }, ({ id }) => `{"id":"${id}"}`)
    await announce()
    await announce()
    return `evt_call_completed_${orderId}`
  }

  test('an announcement that is made twice is one delivery', async () => {
    const id = await announced()
    const deliver = () => deliverWebhook(stage.ports, id)
    await Promise.all([deliver(), deliver(), deliver()])
    expect(stage.world.posted).toHaveLength(1)
    expect(await stage.ports.calls.listUndone(Number.MAX_SAFE_INTEGER, 10)).toEqual([])
  })

  test('refused tries are made again when they are due, under the same id and with the same bytes', async () => {
    const id = await announced()
    stage.world.webhookStatus = [500, new AdapterError('timeout', { retryable: true })]
    await deliverWebhook(stage.ports, id)
    await deliverWebhook(stage.ports, id)
    expect(stage.world.posted).toHaveLength(1)
    stage.world.now += 5_000
    await deliverWebhook(stage.ports, id)
    stage.world.now += 300_000
    await deliverWebhook(stage.ports, id)
    expect(new Set(stage.world.posted.map((post) => JSON.stringify(post))).size).toBe(1)
    expect(stage.world.posted).toHaveLength(3)
    expect((await stage.ports.webhooks.find(id))?.status).toBe('delivered')
  })
})
