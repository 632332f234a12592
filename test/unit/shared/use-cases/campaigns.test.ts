import { beforeEach, describe, expect, it, test } from 'vitest'

import type { AttemptResult } from '#shared/domain/call-attempt/attempt.ts'
import { campaignScope } from '#shared/domain/scope.ts'
import { adoptAttempt } from '#shared/use-cases/adopt-attempt.ts'
import {
  cancelCampaign,
  deleteCampaign,
  pauseCampaign,
  resumeCampaign,
} from '#shared/use-cases/change-campaign.ts'
import { concludeAttempt } from '#shared/use-cases/conclude-attempt.ts'
import { dispatchScope } from '#shared/use-cases/dispatch-scope.ts'
import { finishSession } from '#shared/use-cases/finish-session.ts'
import { startAttempt } from '#shared/use-cases/start-attempt.ts'
import { sweep } from '#shared/use-cases/sweep.ts'
import { workOnCampaign } from '#shared/use-cases/work-on-campaign.ts'
import { campaignStage, hash, recount } from '#test/support/campaign-stage.ts'
import { useCasePorts } from '#test/support/use-case-ports.ts'

const NOW = Date.parse('2026-11-18T15:00:00Z')
const DAY_MS = 86_400_000

let world: ReturnType<typeof useCasePorts>['world']
let ports: ReturnType<typeof useCasePorts>['ports']
let stage: Awaited<ReturnType<typeof campaignStage>>
beforeEach(async () => {
  ;({ world, ports } = useCasePorts(NOW))
  stage = await campaignStage(ports)
})

const target = (campaignId: string) => ({ organizationId: 'org_1', campaignId })
const statuses = async (campaignId: string, count: number) =>
  (await stage.orders(campaignId, count)).map(({ status }) => status)
const dispatch = (campaignId: string) => dispatchScope(ports, campaignScope(campaignId))
const start = (orderId: string, number = 1) =>
  startAttempt(ports, { orderId, number, owner: 'runtime', mediaUrl: 'wss://media' })
const imported = async (...args: Parameters<typeof stage.create>): Promise<string> => {
  const { id } = await stage.create(...args)
  await stage.work(id)
  return id
}

async function talk(orderId: string, result: AttemptResult, number = 1): Promise<void> {
  const call = { orderId, number }
  expect(await start(orderId, number)).toBe('dialled')
  const adoption = await adoptAttempt(ports, call)
  if (adoption.kind === 'refused') throw new Error(adoption.reason)
  await finishSession(ports, {
    ...call,
    fence: adoption.fence,
    at: world.now,
    result,
    endedBy: 'user',
    endReason: null,
    transcript: [],
    speechEvents: [],
    recordingKey: null,
  })
}
const conclude = (orderId: string, number = 1) =>
  concludeAttempt(ports, { orderId, number, isLastChance: true })

describe('importing', () => {
  it('makes rows of contacts, a thousand with each message, and begins with the first', async () => {
    const { id } = await stage.create(1_500)
    expect(world.sent).toMatchObject([{ queue: 'import', message: { campaignId: id } }])
    await workOnCampaign(ports, { campaignId: id, hash })
    expect(await stage.campaign(id)).toMatchObject({
      status: 'running',
      isImported: false,
      contacts: { rows: 1_000, count: 1_500 },
    })
    expect(world.sent.slice(1)).toMatchObject([
      { queue: 'dispatch', message: { scope: `CMP#${id}` } },
      { queue: 'dispatch', message: { scope: `CMP#${id}` } },
      { queue: 'import', message: { campaignId: id } },
    ])
    await workOnCampaign(ports, { campaignId: id, hash })
    expect(await stage.campaign(id)).toMatchObject({
      isImported: true,
      contacts: { rows: 1_500, count: 1_500 },
    })
    const orders = await stage.orders(id, 1_500)
    expect(orders.map(({ campaign }) => campaign?.rowIndex)).toEqual(
      Array.from({ length: 1_500 }, (_, index) => index),
    )
    expect(await ports.calls.rowStats(id)).toMatchObject({ pending: 1_500, total: 1_500 })
  })

  it('may be repeated from any point without changing what is there', async () => {
    const { id, contacts: atStart } = await stage.create(1_500)
    const file = await ports.contactUploads.read(atStart.key, { offset: 0, length: 1_000_000 })
    await workOnCampaign(ports, { campaignId: id, hash })
    const { contacts: halfway } = await stage.campaign(id)
    await stage.work(id)
    await dispatch(id)
    const orders = await stage.orders(id, 2_000)
    const stats = await ports.calls.rowStats(id)
    expect(stats).toMatchObject({ calling: 10, total: 1_500 })
    world.now += 60_000
    // As if the worker had died right before it stored how far it had come.
    for (const contacts of [atStart, halfway]) {
      await ports.contactUploads.put(contacts.key, file ?? new Uint8Array())
      const current = await stage.campaign(id)
      const before = { ...current, version: current.version + 1, contacts, isImported: false }
      await ports.campaigns.save({ before: current, after: before })
      await stage.work(id)
      expect(await stage.campaign(id)).toMatchObject({
        isImported: true,
        contacts: { rows: 1_500 },
      })
      expect(await stage.orders(id, 2_000)).toEqual(orders)
      expect(await ports.calls.rowStats(id)).toEqual(stats)
    }
  })

  it('waits for the time of the campaign, and tells the scheduler', async () => {
    const id = await imported(2, { scheduledAt: NOW + DAY_MS })
    expect(await stage.campaign(id)).toMatchObject({ status: 'draft', isImported: true })
    expect(await statuses(id, 2)).toEqual(['scheduled', 'scheduled'])
    expect(world.scheduled).toMatchObject([{ at: NOW + DAY_MS, queue: 'dispatch' }])
    expect(await dispatch(id)).toEqual({ admitted: 0 })
    world.now = NOW + DAY_MS
    expect(await dispatch(id)).toEqual({ admitted: 2 })
    expect((await stage.campaign(id)).status).toBe('running')
  })

  it('completes a campaign of which nothing can be called after all', async () => {
    const contact = (toPhoneNumber: string) => ({ toPhoneNumber, promptVariables: {} })
    const contacts = ['+12025550100', 'x', '+1'].map(contact)
    const id = await imported(0, { contacts: { kind: 'inline', contacts } })
    expect(await statuses(id, 3)).toEqual(['queued_for_calling', 'errored', 'errored'])
    await cancelCampaign(ports, target(id))
    expect((await stage.campaign(id)).status).toBe('completed')
  })

  it('goes on after its message was lost', async () => {
    const { id } = await stage.create(1)
    world.sent.length = 0
    world.now += 299_999
    await sweep(ports)
    expect(world.sent.filter(({ queue }) => queue === 'import')).toEqual([])
    world.now += 1
    await sweep(ports)
    expect(world.sent.filter(({ queue }) => queue === 'import')).toMatchObject([
      { message: { campaignId: id } },
    ])
  })
})

describe('calling', () => {
  it('keeps to the cap of the campaign', async () => {
    const id = await imported(5, { maxConcurrentCalls: 2 })
    expect(await dispatch(id)).toEqual({ admitted: 2 })
    expect(await ports.permits.count(`CMP#${id}`, world.now)).toBe(2)
    expect(await ports.calls.rowStats(id)).toMatchObject({ calling: 2, pending: 3, total: 5 })
  })

  it('completes the campaign with its last row, and then the sweep forgets it', async () => {
    const id = await imported(2)
    await dispatch(id)
    for (const [index, result] of [
      [0, 'human'],
      [1, 'human'],
    ] as const) {
      expect((await stage.campaign(id)).status).toBe('running')
      expect(await ports.calls.listScopes()).toContain(`CMP#${id}`)
      await talk(stage.orderIdOf(id, index), result)
      await conclude(stage.orderIdOf(id, index))
    }
    expect((await stage.campaign(id)).status).toBe('completed')
    expect(await ports.calls.rowStats(id)).toMatchObject({ completed: 2, total: 2 })
    expect(await ports.calls.listScopes()).not.toContain(`CMP#${id}`)
  })

  it('numbers the people who answer', async () => {
    const id = await imported(3)
    await dispatch(id)
    await talk(stage.orderIdOf(id, 2), 'human')
    await talk(stage.orderIdOf(id, 0), 'voicemail')
    await talk(stage.orderIdOf(id, 1), 'human')
    const numbers = (await stage.orders(id, 3)).map(({ visualNumber }) => visualNumber)
    expect(numbers).toEqual([null, 2, 1])
  })
})

describe('a pause', () => {
  it('stops dispatch and dial with one write; resuming goes on as if nothing had been', async () => {
    const id = await imported(4, { maxConcurrentCalls: 2 })
    const admitted = async () =>
      (await stage.orders(id, 4)).filter(({ status }) => status === 'calling').map((one) => one.id)
    await dispatch(id)
    const [first = '', second = ''] = await admitted()
    expect(await start(first)).toBe('dialled')

    expect(await pauseCampaign(ports, target(id))).toEqual({ kind: 'done' })
    expect(await dispatch(id)).toEqual({ admitted: 0 })
    expect(await start(second)).toBe('passed')
    expect(world.dials).toHaveLength(1)
    expect(await ports.calls.findCall(second)).toMatchObject({
      order: { status: 'paused', attemptsMade: 0 },
      attempts: [],
    })
    expect(await ports.permits.count(`CMP#${id}`, world.now)).toBe(1)
    await stage.work(id)
    expect((await statuses(id, 4)).toSorted()).toEqual(['calling', 'paused', 'paused', 'paused'])

    expect(await resumeCampaign(ports, target(id))).toEqual({ kind: 'done' })
    await stage.work(id)
    expect(await dispatch(id)).toEqual({ admitted: 1 })
    const again = (await admitted()).find((orderId) => orderId !== first) ?? ''
    expect(await start(again)).toBe('dialled')
    expect(await ports.calls.rowStats(id)).toEqual(recount(await stage.orders(id, 4)))
  })

  it('lets a call end, and keeps its retry back', async () => {
    const id = await imported(1)
    await dispatch(id)
    const orderId = stage.orderIdOf(id, 0)
    await talk(orderId, 'voicemail')
    await pauseCampaign(ports, target(id))
    await stage.work(id)
    await conclude(orderId)
    expect(await statuses(id, 1)).toEqual(['paused'])
    await resumeCampaign(ports, target(id))
    await stage.work(id)
    expect(await statuses(id, 1)).toEqual(['scheduled'])
  })

  it('also holds back rows that are imported meanwhile', async () => {
    const { id } = await stage.create(1_200)
    await workOnCampaign(ports, { campaignId: id, hash })
    await pauseCampaign(ports, target(id))
    await stage.work(id)
    const orders = await stage.orders(id, 1_200)
    expect(orders.filter(({ status }) => status !== 'paused')).toEqual([])
    expect(await stage.campaign(id)).toMatchObject({ isImported: true, rowsToFollow: null })
  })

  test('of a campaign that does not run is a conflict', async () => {
    const { id } = await stage.create(1)
    expect((await pauseCampaign(ports, target(id))).kind).toBe('conflict')
    expect((await resumeCampaign(ports, target(id))).kind).toBe('conflict')
  })
})

describe('a cancel', () => {
  it('stops dispatch at once; what waits is cancelled, calls in progress finish', async () => {
    const id = await imported(4, { maxConcurrentCalls: 2 })
    await dispatch(id)
    const calling = (await stage.orders(id, 4)).filter(({ status }) => status === 'calling')
    const [talking = '', undialled = ''] = calling.map((order) => order.id)
    expect(await start(talking)).toBe('dialled')

    expect(await cancelCampaign(ports, target(id))).toEqual({ kind: 'done' })
    expect(await stage.campaign(id)).toMatchObject({ isCancelled: true, status: 'running' })
    expect(await dispatch(id)).toEqual({ admitted: 0 })
    expect(await start(undialled)).toBe('passed')
    expect(world.dials).toHaveLength(1)
    await stage.work(id)
    expect((await statuses(id, 4)).toSorted()).toEqual([
      'calling',
      'cancelled',
      'cancelled',
      'cancelled',
    ])
    expect(await ports.calls.nextDueAt(`CMP#${id}`)).toBeNull()

    const adoption = await adoptAttempt(ports, { orderId: talking, number: 1 })
    if (adoption.kind === 'refused') throw new Error(adoption.reason)
    await finishSession(ports, {
      orderId: talking,
      number: 1,
      fence: adoption.fence,
      at: NOW,
      result: 'human',
      endedBy: 'user',
      endReason: null,
      transcript: [],
      speechEvents: [],
      recordingKey: null,
    })
    await conclude(talking)
    expect(await ports.calls.rowStats(id)).toMatchObject({ completed: 1, failed: 3, total: 4 })
    expect((await stage.campaign(id)).status).toBe('completed')
    expect(await ports.calls.listScopes()).not.toContain(`CMP#${id}`)
  })

  it('means that no retry follows', async () => {
    const id = await imported(1)
    await dispatch(id)
    await talk(stage.orderIdOf(id, 0), 'voicemail')
    await cancelCampaign(ports, target(id))
    await stage.work(id)
    await conclude(stage.orderIdOf(id, 0))
    expect(await statuses(id, 1)).toEqual(['cancelled'])
    expect((await stage.campaign(id)).status).toBe('completed')
  })

  it('reaches a row that slipped through when it is due', async () => {
    const id = await imported(2)
    const campaign = await stage.campaign(id)
    const after = { ...campaign, version: campaign.version + 1, isCancelled: true }
    await ports.campaigns.save({ before: campaign, after })
    await sweep(ports)
    expect(world.sent).toContainEqual(
      expect.objectContaining({ queue: 'dispatch', message: { scope: `CMP#${id}` } }),
    )
    expect(await dispatch(id)).toEqual({ admitted: 0 })
    expect(await statuses(id, 2)).toEqual(['cancelled', 'cancelled'])
  })

  it('of an unfinished import leaves rows that are all cancelled', async () => {
    const { id } = await stage.create(1_200)
    await workOnCampaign(ports, { campaignId: id, hash })
    await cancelCampaign(ports, target(id))
    await stage.work(id)
    expect(await ports.calls.rowStats(id)).toMatchObject({ failed: 1_200, total: 1_200 })
    await sweep(ports)
    expect(await ports.calls.listScopes()).not.toContain(`CMP#${id}`)
  })

  test('twice, or by somebody else, does nothing', async () => {
    const id = await imported(1)
    const foreign = { organizationId: 'org_2', campaignId: id }
    expect(await cancelCampaign(ports, foreign)).toEqual({ kind: 'not_found' })
    expect(await cancelCampaign(ports, target('camp_none'))).toEqual({ kind: 'not_found' })
    expect((await stage.campaign(id)).isCancelled).toBe(false)
    await cancelCampaign(ports, target(id))
    expect((await cancelCampaign(ports, target(id))).kind).toBe('conflict')
  })
})

describe('a deletion', () => {
  it('leaves nothing but the calls that were made', async () => {
    const id = await imported(4, { maxConcurrentCalls: 2 })
    await dispatch(id)
    const calling = (await stage.orders(id, 4)).filter(({ status }) => status === 'calling')
    const [called = '', live = ''] = calling.map((order) => order.id)
    await talk(called, 'human')
    await conclude(called)
    expect(await start(live)).toBe('dialled')

    expect(await deleteCampaign(ports, target(id))).toEqual({ kind: 'done' })
    expect((await deleteCampaign(ports, target(id))).kind).toBe('not_found')
    await stage.work(id)
    expect(await ports.campaigns.find(id)).toBeNull()
    expect(await ports.calls.listScopes()).not.toContain(`CMP#${id}`)
    const left = await stage.orders(id, 4)
    expect(left.map((order) => order.id).toSorted()).toEqual([called, live].toSorted())

    await adoptAttempt(ports, { orderId: live, number: 1 })
    await finishSession(ports, {
      orderId: live,
      number: 1,
      fence: 1,
      at: NOW,
      result: 'voicemail',
      endedBy: 'agent',
      endReason: 'voicemail',
      transcript: [],
      speechEvents: [],
      recordingKey: null,
    })
    await conclude(live)
    expect(await ports.calls.findOrder(live)).toMatchObject({ status: 'cancelled' })
  })

  it('of an unfinished import ends that too', async () => {
    const { id } = await stage.create(1_200)
    await workOnCampaign(ports, { campaignId: id, hash })
    await deleteCampaign(ports, target(id))
    await stage.work(id)
    expect(await stage.orders(id, 1_200)).toEqual([])
    expect(await ports.contactUploads.read(`org_1/${id}`, { offset: 0, length: 1 })).toBeNull()
  })
})
