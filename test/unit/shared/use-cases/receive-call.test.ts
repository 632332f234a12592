import { beforeEach, describe, expect, it, test } from 'vitest'

import { changeAttempt } from '#shared/use-cases/change-attempt.ts'
import { concludeAttempt } from '#shared/use-cases/conclude-attempt.ts'
import { dispatchScope } from '#shared/use-cases/dispatch-scope.ts'
import { receiveCall } from '#shared/use-cases/receive-call.ts'
import { startAttempt } from '#shared/use-cases/start-attempt.ts'
import { campaignStage, hash, numberOf } from '#test/support/campaign-stage.ts'
import { useCasePorts } from '#test/support/use-case-ports.ts'

const NOW = Date.parse('2026-11-18T15:00:00Z')
const OURS = '+12025550199'
const PROSPECT = numberOf(0)

let world: ReturnType<typeof useCasePorts>['world']
let ports: ReturnType<typeof useCasePorts>['ports']
let stage: Awaited<ReturnType<typeof campaignStage>>
let campaignId: string
beforeEach(async () => {
  ;({ world, ports } = useCasePorts(NOW))
  stage = await campaignStage(ports)
  await own(OURS, null)
  campaignId = (await stage.create(2)).id
  await stage.work(campaignId)
})

async function own(phoneNumber: string, inboundAssistantId: string | null): Promise<void> {
  await ports.phoneNumbers.save({
    before: null,
    after: {
      id: `num_${phoneNumber}`,
      organizationId: 'org_1',
      version: 1,
      phoneNumber,
      label: '',
      type: 'owned_number',
      source: 'user_imported',
      provider: 'sip',
      healthStatus: 'unknown',
      healthCheckedAt: null,
      spamScore: null,
      inboundAssistantId,
      inboundSipUri: null,
      outboundTrunkId: null,
      createdBy: null,
      createdAt: NOW,
    },
  })
}

const dispatch = () => dispatchScope(ports, `CMP#${campaignId}`)
const outbound = () => stage.orderIdOf(campaignId, 0)
const start = (orderId: string, number = 1) =>
  startAttempt(ports, { orderId, number, owner: 'runtime', mediaUrl: 'wss://media' })
const receive = (call: { id?: string; from?: string | null; to?: string } = {}) =>
  receiveCall(ports, {
    hash,
    call: {
      provider: 'simulated',
      carrierCallId: call.id ?? 'in-1',
      from: call.from === undefined ? PROSPECT : call.from,
      to: call.to ?? OURS,
      isTest: true,
    },
  })
const received = async (...args: Parameters<typeof receive>) => {
  const reception = await receive(...args)
  if (reception.kind === 'rejected') throw new Error(reception.reason)
  const call = await ports.calls.findCall(reception.orderId)
  if (call === null) throw new Error('nothing is stored')
  return call
}
const statusOf = async (orderId: string) => {
  const order = await ports.calls.findOrder(orderId)
  return [order?.status, order?.cancelReason]
}

async function ring(orderId: string): Promise<void> {
  const cause = { sipCode: 408, reason: null, q850: null, endedBy: 'carrier' } as const
  await start(orderId)
  await changeAttempt(ports, { orderId, number: 1 }, () => ({
    type: 'carrierEnded',
    at: world.now,
    cause,
    graceUntil: 0,
  }))
}
const conclude = (orderId: string) =>
  concludeAttempt(ports, { orderId, number: 1, isLastChance: true })

/** The prospect was called once, and would be called again. */
async function calledOnce(): Promise<void> {
  await dispatch()
  await ring(outbound())
  await conclude(outbound())
}

describe('a call from a prospect who would be called again', () => {
  it('cancels that order, and is one of its own', async () => {
    await calledOnce()
    const before = await ports.calls.findOrder(outbound())
    const { order, attempts } = await received()
    expect(await statusOf(outbound())).toEqual(['cancelled', 'prospect_called_back'])
    expect(order).toMatchObject({
      direction: 'inbound',
      status: 'calling',
      fromPhoneNumber: PROSPECT,
      toPhoneNumber: OURS,
      attemptsMade: 1,
      callbackFrom: { callId: outbound(), createdAt: before?.createdAt },
      assistant: { kind: 'stored', assistantId: stage.assistantId },
      promptVariables: { first_name: 'Person 0' },
      campaign: null,
    })
    expect(attempts).toMatchObject([
      { status: 'ringing', carrierCallId: 'in-1', phoneNumber: OURS, fromPhoneNumber: PROSPECT },
    ])
    expect(world.sent).toContainEqual({
      queue: 'call-start',
      message: { orderId: order.id, number: 1 },
      delaySecs: 0,
    })
    expect(await ports.calls.findRetryPending('org_1', PROSPECT)).toBeNull()
  })

  it('is announced like every end, and counted in its campaign', async () => {
    await calledOnce()
    world.sent.length = 0
    await receive()
    expect(world.sent).toContainEqual({
      queue: 'notify',
      message: { orderId: outbound(), event: 'call.completed' },
      delaySecs: 0,
    })
    expect(await ports.calls.rowStats(campaignId)).toMatchObject({ failed: 1, retry: 0, total: 2 })
    const [announcement] = (await ports.calls.listUndone(Number.MAX_SAFE_INTEGER, 10)).filter(
      ({ effect }) => effect.kind === 'announce',
    )
    expect(announcement?.orderId).toBe(outbound())
  })

  it('reported twice is received once', async () => {
    await calledOnce()
    const [one, other] = await Promise.all([receive(), receive()])
    expect(one).toEqual(other)
    expect(await receive()).toEqual(one)
    expect(await receive({ id: 'in-2' })).not.toEqual(one)
  })

  it('comes before the call is concluded: no retry follows either', async () => {
    await dispatch()
    await ring(outbound())
    expect((await ports.calls.findOrder(outbound()))?.status).toBe('post_processing')
    await receive()
    expect(await statusOf(outbound())).toEqual(['cancelled', 'prospect_called_back'])
    await conclude(outbound())
    expect(await statusOf(outbound())).toEqual(['cancelled', 'prospect_called_back'])
    expect(await ports.calls.nextDueAt(`CMP#${campaignId}`)).toBeNull()
  })

  it('of several orders answers the one that was called last', async () => {
    await calledOnce()
    const second = await stage.create(1)
    await stage.work(second.id)
    await dispatchScope(ports, `CMP#${second.id}`)
    const later = stage.orderIdOf(second.id, 0)
    world.now += 1_000
    await ring(later)
    await conclude(later)
    expect((await received()).order.callbackFrom?.callId).toBe(later)
    expect((await received({ id: 'in-2' })).order.callbackFrom?.callId).toBe(outbound())
    expect((await receive({ id: 'in-3' })).kind).toBe('rejected')
  })
})

describe('against the next dial exactly one comes first', () => {
  it('admitted first: the order is called, and the call is received all the same', async () => {
    await calledOnce()
    const findOrder = ports.calls.findOrder.bind(ports.calls)
    world.now += 60_000
    let isAdmitted = false
    // The dispatcher admits the retry between the look at the order and the save.
    ports.calls.findOrder = async (orderId) => {
      const found = await findOrder(orderId)
      if (orderId === outbound() && !isAdmitted) {
        isAdmitted = true
        await dispatch()
      }
      return found
    }
    const { order } = await received()
    expect(await statusOf(outbound())).toEqual(['calling', null])
    expect(order).toMatchObject({ status: 'calling', callbackFrom: { callId: outbound() } })
  })

  it('received first: nobody calls them while they are on the line, nor after', async () => {
    await calledOnce()
    await receive()
    const other = await stage.create(1)
    await stage.work(other.id)
    world.now += 1_000
    expect(await dispatchScope(ports, `CMP#${other.id}`)).toEqual({ admitted: 0 })
    world.now += 60_000
    await dispatch()
    expect(await start(outbound(), 2)).toBe('passed')
    expect(world.dials).toHaveLength(1)
  })
})

describe('who answers', () => {
  test('the assistant of the number, before that of the order', async () => {
    await calledOnce()
    const receptionist = '+12025550198'
    await own(receptionist, stage.assistantId)
    const { order } = await received({ to: receptionist })
    expect(order.assistant).toMatchObject({ assistantId: stage.assistantId, version: 1 })
    expect(order.callbackFrom?.callId).toBe(outbound())
    const stranger = await received({ id: 'in-2', from: null, to: receptionist })
    expect(stranger.order).toMatchObject({ fromPhoneNumber: null, callbackFrom: null })
  })

  test('nobody, when the number is not ours, or has no assistant and calls nobody back', async () => {
    expect(await receive({ to: '+12025550123' })).toEqual({
      kind: 'rejected',
      reason: 'unknown_number',
    })
    expect(await receive()).toEqual({ kind: 'rejected', reason: 'no_assistant' })
    expect(await receive({ from: null })).toEqual({ kind: 'rejected', reason: 'no_assistant' })
  })

  test('a voice runtime takes the call that rings, at any hour, and places none', async () => {
    await calledOnce()
    const { order, attempts } = await received()
    world.dials.length = 0
    expect(await start(order.id)).toBe('dialled')
    expect(await start(order.id)).toBe('passed')
    expect(world.answered).toEqual([
      {
        attemptId: attempts[0]?.id,
        orderId: order.id,
        number: 1,
        carrierCallId: 'in-1',
        mediaUrl: 'wss://media',
      },
    ])
    expect(world.dials).toEqual([])
  })

  test('a caller who has not waited leaves an order that is over, and is not called', async () => {
    await calledOnce()
    const { order } = await received()
    world.dial = async () => ({ kind: 'refused', sipCode: null, reason: 'caller_gone' })
    expect(await start(order.id)).toBe('refused')
    await conclude(order.id)
    expect(await ports.calls.findOrder(order.id)).toMatchObject({
      status: 'completed',
      dueAt: null,
    })
  })
})
