import { beforeEach, describe, expect, it, test } from 'vitest'

import { changeAttempt } from '#shared/use-cases/change-attempt.ts'
import { pauseCampaign } from '#shared/use-cases/change-campaign.ts'
import { concludeAttempt } from '#shared/use-cases/conclude-attempt.ts'
import { dispatchScope } from '#shared/use-cases/dispatch-scope.ts'
import { startAttempt } from '#shared/use-cases/start-attempt.ts'
import { campaignStage, numberOf } from '#test/support/campaign-stage.ts'
import { crowdedScope } from '#test/support/crowded-scope.ts'
import { useCasePorts } from '#test/support/use-case-ports.ts'

const NOW = Date.parse('2026-11-18T15:00:00Z')
const TRUNK = 'TRUNK#trunk'

let world: ReturnType<typeof useCasePorts>['world']
let ports: ReturnType<typeof useCasePorts>['ports']
beforeEach(() => {
  ;({ world, ports } = useCasePorts(NOW))
})

/** The scopes that were woken since the last look. */
function woken(): unknown[] {
  const now = world.sent.splice(0).filter(({ delaySecs }) => delaySecs === 0)
  const dispatches = now.filter(({ queue }) => queue === 'dispatch')
  return dispatches.map(({ message }) => (message as { scope: string }).scope)
}

let people = 0

async function campaignOf(count: number): Promise<string> {
  const stage = await campaignStage(ports)
  const contacts = Array.from({ length: count }, () => ({
    toPhoneNumber: numberOf((people += 1)),
    promptVariables: {},
  }))
  const { id } = await stage.create(0, { contacts: { kind: 'inline', contacts } })
  await stage.work(id)
  woken()
  return `CMP#${id}`
}

async function callingIn(scope: string): Promise<string[]> {
  const leases = await ports.calls.listExpiredLeases(Number.MAX_SAFE_INTEGER, 100)
  const orders = await ports.calls.findOrders(leases.map(({ orderId }) => orderId))
  return orders.filter((order) => order.scope === scope).map(({ id }) => id)
}

async function end(orderId = ''): Promise<void> {
  const target = { orderId, number: 1 }
  await startAttempt(ports, { ...target, owner: 'runtime', mediaUrl: 'wss://media' })
  const cause = { sipCode: 486, reason: null, q850: null, endedBy: 'callee' } as const
  await changeAttempt(ports, target, () => ({
    type: 'carrierEnded',
    at: world.now,
    cause,
    graceUntil: 0,
  }))
  await concludeAttempt(ports, { ...target, isLastChance: true })
}

describe('where a shared permit is full', () => {
  it('calls the scopes in turn, whichever gave the slot back', async () => {
    const [big, small] = [await campaignOf(20), await campaignOf(3)]
    expect(await dispatchScope(ports, big)).toEqual({ admitted: 10 })
    world.now += 1_000
    expect(await dispatchScope(ports, small)).toEqual({ admitted: 0 })
    const calling = await callingIn(big)
    for (const turn of [big, small, big, small]) {
      woken()
      await end(calling.pop())
      expect(woken()).toEqual([turn])
      world.now += 1_000
      expect(await dispatchScope(ports, turn)).toEqual({ admitted: 1 })
    }
    expect(await ports.permits.count(TRUNK, world.now)).toBe(10)
  })

  it('wakes a scope once for many slots, and it takes them all', async () => {
    const scope = await campaignOf(20)
    await dispatchScope(ports, scope)
    const calling = await callingIn(scope)
    woken()
    for (const orderId of calling.slice(0, 4)) await end(orderId)
    world.now += 1_000
    expect(woken().filter((one) => one === scope)).toHaveLength(1)
    expect(await dispatchScope(ports, scope)).toEqual({ admitted: 4 })
  })

  it('does not wake anybody when nobody waits', async () => {
    const scope = await campaignOf(2)
    await dispatchScope(ports, scope)
    woken()
    for (const orderId of await callingIn(scope)) await end(orderId)
    expect(woken().filter((one) => one === scope)).toEqual([])
  })

  it('passes a turn on that nobody can use', async () => {
    const [big, small] = [await campaignOf(20), await campaignOf(3)]
    await dispatchScope(ports, big)
    await dispatchScope(ports, small)
    const calling = await callingIn(big)
    await end(calling.pop())
    world.now += 1_000
    await dispatchScope(ports, big)
    await pauseCampaign(ports, { organizationId: 'org_1', campaignId: small.slice('CMP#'.length) })
    woken()
    await end(calling.pop())
    expect(woken()).toEqual([small])
    expect(await dispatchScope(ports, small)).toEqual({ admitted: 0 })
    expect(woken()).toEqual([big])
    expect(await dispatchScope(ports, big)).toEqual({ admitted: 1 })
  })

  it('looks again after it has begun to wait: what was given back before is not heard', async () => {
    const [big, small] = [await campaignOf(20), await campaignOf(3)]
    await dispatchScope(ports, big)
    world.now += 1_000
    const [first] = await callingIn(big)
    const wait = ports.turns.wait.bind(ports.turns)
    let isEnded = false
    ports.turns.wait = async (permit, waiter) => {
      if (!isEnded) await end(first)
      isEnded = true
      return wait(permit, waiter)
    }
    expect(await dispatchScope(ports, small)).toEqual({ admitted: 1 })
  })
})

describe('at the pace of the trunk', () => {
  beforeEach(() => {
    Object.assign(ports.limits, {
      trunk: { id: 'trunk', maxConcurrentCalls: 100, callsPerSecond: 5 },
    })
  })

  it('goes on a second later, and is woken for that once', async () => {
    const [one, other] = [await campaignOf(20), await campaignOf(20)]
    expect(await dispatchScope(ports, one)).toEqual({ admitted: 5 })
    expect(await dispatchScope(ports, other)).toEqual({ admitted: 0 })
    const delayed = world.sent.filter(({ delaySecs }) => delaySecs > 0)
    expect(delayed).toHaveLength(1)
    expect(await ports.permits.count(TRUNK, world.now)).toBe(5)
    world.now += 1_000
    expect(await dispatchScope(ports, one)).toEqual({ admitted: 5 })
  })
})

test('an order that our own code fails on keeps nobody waiting, and is tried again', async () => {
  const scope = await crowdedScope(ports)
  const broken = await scope.placeFree()
  const [fine = ''] = await scope.placeUnderKey(1, 1)
  const acquire = ports.permits.acquire.bind(ports.permits)
  const number = (await ports.calls.findOrder(broken))?.toPhoneNumber ?? ''
  ports.permits.acquire = (request) => {
    if (request.scope.endsWith(number)) throw new Error('a bug')
    return acquire(request)
  }
  expect(await scope.dispatch()).toEqual({ admitted: 1 })
  expect(await scope.stateOf(fine)).toEqual(['calling', null])
  expect(await ports.calls.findOrder(broken)).toMatchObject({
    status: 'scheduled',
    dueAt: NOW + 600_000,
  })
})

test('of different limits for one key the latest counts, also for those placed before', async () => {
  const scope = await crowdedScope(ports)
  const [first = '', second = '', third = ''] = await scope.placeUnderKey(3, 1)
  expect(await scope.dispatch()).toEqual({ admitted: 1 })
  expect(await scope.stateOf(third)).toEqual(['queued_for_calling', 'KEY#org_1#shop'])
  await ports.permits.setCap('KEY#org_1#shop', 3)
  await scope.end(first)
  expect(await scope.dispatch()).toEqual({ admitted: 2 })
  expect(await scope.stateOf(second)).toEqual(['calling', null])
  expect(await scope.stateOf(third)).toEqual(['calling', null])
})
