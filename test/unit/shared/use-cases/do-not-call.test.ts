import { expect, test } from 'vitest'

import { organizationScope } from '#shared/domain/scope.ts'
import { admitOrder } from '#shared/use-cases/admit-order.ts'
import { suppressNumber } from '#shared/use-cases/suppress-number.ts'
import { anOrder, aSummary, NOON } from '#test/support/an-order.ts'
import { useCasePorts } from '#test/support/use-case-ports.ts'

const ORG = 'org_1'
const NUMBER = '+12025550100'

async function admit(
  suppressedBy: string | null,
  order = anOrder({ assistant: { kind: 'stored', assistantId: 'asst_1', version: 1 } }),
) {
  const { ports, world } = useCasePorts(NOON)
  if (suppressedBy !== null) {
    const input = { organizationId: suppressedBy, phoneNumber: NUMBER, reason: 'asked us to' }
    await suppressNumber(ports, input)
  }
  await ports.calls.save({ order: { before: null, after: order }, effects: [] })
  const admission = await admitOrder(ports, {
    order,
    assistants: ports.assistants,
    shared: [{ scope: organizationScope(ORG), cap: 5 }],
    defaultFromPhoneNumber: '+12025550199',
  })
  const call = await ports.calls.findCall(order.id)
  return {
    admission,
    call,
    world,
    permits: await ports.permits.count(organizationScope(ORG), NOON),
  }
}

test('an order to a suppressed number ends without a dial, and holds nothing', async () => {
  const { admission, call, world, permits } = await admit(ORG)
  expect(admission).toEqual({ kind: 'moved' })
  expect(call?.order).toMatchObject({ status: 'errored', dueAt: null, attemptsMade: 0 })
  expect(call?.attempts).toEqual([])
  expect(permits).toBe(0)
  expect(world.sent).toEqual([])
})

test('not even a forced one, and no retry either', async () => {
  const forced = await admit(ORG, anOrder({ forceNow: true }))
  expect(forced.call?.order.status).toBe('errored')
  const retry = await admit(ORG, anOrder({ attemptsMade: 1, lastAttempt: aSummary() }))
  expect(retry.call?.order).toMatchObject({ status: 'errored', isAnnounced: true })
})

test.each([null, 'org_2'])('a number that %s suppresses is called', async (suppressedBy) => {
  const settings = { kind: 'stored', assistantId: 'asst_1', version: 1 } as const
  const order = anOrder({ assistant: settings, attemptsMade: 1, lastAttempt: aSummary() })
  const { admission, call } = await admit(suppressedBy, order)
  expect([admission.kind, call?.order.status]).toEqual(['admitted', 'calling'])
})

test('a number is suppressed once; the newest reason counts', async () => {
  const { ports } = useCasePorts(NOON)
  const input = { organizationId: ORG, phoneNumber: NUMBER }
  const first = await suppressNumber(ports, { ...input, reason: 'one' })
  const second = await suppressNumber(ports, { ...input, reason: 'two' })
  expect(second).toEqual({ ...first, reason: 'two', version: 2 })
  const { records } = await ports.suppressions.list(ORG, { limit: 9, cursor: null })
  expect(records).toEqual([second])
})
