import { expect, it } from 'vitest'

import { resume } from '#infra/local/resume.ts'
import { anOrder, NOON } from '#test/support/an-order.ts'
import { useCasePorts } from '#test/support/use-case-ports.ts'

it('what the queues held when a stack ended is sent by the next one, however fresh', async () => {
  const { ports, world } = useCasePorts(NOON)
  const order = anOrder({ status: 'post_processing' })
  const effect = { kind: 'concludeAttempt', orderId: order.id, number: 1 } as const
  const stored = { id: 'effect_1', orderId: order.id, effect, createdAt: NOON }
  await ports.calls.save({ order: { before: null, after: order }, effects: [stored] })
  world.sent.length = 0
  await resume(ports)
  expect(world.sent).toContainEqual(
    expect.objectContaining({ queue: 'post-call', message: { orderId: order.id, number: 1 } }),
  )
})
