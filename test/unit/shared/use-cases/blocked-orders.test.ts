import { beforeEach, expect, test } from 'vitest'

import { cancelCall } from '#shared/use-cases/change-order.ts'
import { sweep } from '#shared/use-cases/sweep.ts'
import { crowdedScope, KEY_PERMIT, SCOPE } from '#test/support/crowded-scope.ts'
import { useCasePorts } from '#test/support/use-case-ports.ts'

const NOW = Date.parse('2026-11-18T15:00:00Z')

let world: ReturnType<typeof useCasePorts>['world']
let ports: ReturnType<typeof useCasePorts>['ports']
let scope: Awaited<ReturnType<typeof crowdedScope>>
beforeEach(async () => {
  ;({ world, ports } = useCasePorts(NOW))
  scope = await crowdedScope(ports)
})

const dispatched = () => world.sent.filter(({ queue }) => queue === 'dispatch')
const callingOf = async (orderIds: readonly string[]) =>
  (await ports.calls.findOrders(orderIds)).filter(({ status }) => status === 'calling').length

test('150 orders that wait for their key keep nobody else of the organization waiting', async () => {
  const keyed = await scope.placeUnderKey(150, 1)
  world.now += 1
  const free = await scope.placeFree()
  world.sent.length = 0
  expect(await scope.dispatch()).toEqual({ admitted: 1 })
  // The page was full, so the next one is asked for.
  expect(dispatched()).toMatchObject([{ message: { scope: SCOPE } }])
  world.sent.length = 0
  expect(await scope.dispatch()).toEqual({ admitted: 1 })
  expect(await scope.stateOf(free)).toEqual(['calling', null])
  expect(await callingOf(keyed)).toBe(1)
  expect(dispatched()).toEqual([])
  expect(await ports.calls.listDue(SCOPE, world.now, 200)).toEqual([])
})

test('as soon as a slot frees, the order that waits longest goes on, and it alone', async () => {
  const [first = '', second = '', third = ''] = await scope.placeUnderKey(3, 1)
  await scope.dispatch()
  world.sent.length = 0
  await scope.end(first)
  expect(dispatched()).toContainEqual(expect.objectContaining({ message: { scope: SCOPE } }))
  expect(await scope.stateOf(second)).toEqual(['queued_for_calling', null])
  expect(await scope.stateOf(third)).toEqual(['queued_for_calling', KEY_PERMIT])
  expect(await scope.dispatch()).toEqual({ admitted: 1 })
})

test('orders to one person are called one after the other', async () => {
  const orders = await scope.placeToOne(3)
  await scope.dispatch()
  for (const orderId of orders) {
    expect(await scope.stateOf(orderId)).toEqual(['calling', null])
    expect(await callingOf(orders)).toBe(1)
    await scope.end(orderId)
    world.now += 60_000
    // Its retry is due as well by now, and comes after those that were never called.
    expect(await scope.dispatch()).toEqual({ admitted: 1 })
  }
})

test('when the slot was freed while the order was put aside, it does not stay there', async () => {
  const [first = '', second = ''] = await scope.placeUnderKey(2, 1)
  await scope.dispatch()
  expect(await scope.stateOf(second)).toEqual(['queued_for_calling', KEY_PERMIT])
  // As if whoever gave the permit back had looked for waiting orders a moment too early.
  const attempt = await ports.calls.findAttempt(first, 1)
  for (const permit of attempt?.permits ?? []) {
    await ports.permits.release(permit, attempt?.id ?? '')
  }
  await sweep(ports)
  expect(await scope.stateOf(second)).toEqual(['queued_for_calling', null])
})

test('a cancelled order waits for no permit', async () => {
  const [, second = ''] = await scope.placeUnderKey(2, 1)
  await scope.dispatch()
  await cancelCall(ports, { organizationId: 'org_1', orderId: second })
  expect(await scope.stateOf(second)).toEqual(['cancelled', null])
  expect(await ports.calls.listBlockingPermits('org_1')).toEqual([])
})
