import { expect, it } from 'vitest'

import { PERMIT_UNCLAIMED_MS } from '#shared/domain/lease.ts'
import { dispatchScope } from '#shared/use-cases/dispatch-scope.ts'
import { startAttempt } from '#shared/use-cases/start-attempt.ts'
import { sweep } from '#shared/use-cases/sweep.ts'
import { campaignStage } from '#test/support/campaign-stage.ts'
import { useCasePorts } from '#test/support/use-case-ports.ts'

const NOW = Date.parse('2026-11-18T15:00:00Z')

it('does not dial beside a call that took its permit over', async () => {
  const { ports, world } = useCasePorts(NOW)
  const stage = await campaignStage(ports)
  const { id } = await stage.create(1)
  await stage.work(id)
  await dispatchScope(ports, `CMP#${id}`)
  const orderId = stage.orderIdOf(id, 0)
  const order = await ports.calls.findOrder(orderId)

  // Nobody claims it and no sweep runs until its permits are over, and another call gets one.
  world.now += PERMIT_UNCLAIMED_MS
  const scope = `TO#org_1#${order?.toPhoneNumber}`
  const until = world.now + 60_000
  const other = { scope, cap: 1, holder: 'att_other', now: world.now, until }
  expect(await ports.permits.acquire(other)).not.toBeNull()
  await sweep(ports)
  const started = await startAttempt(ports, {
    orderId,
    number: 1,
    owner: 'runtime',
    mediaUrl: 'wss://media',
  })
  expect(started).toBe('refused')
  expect(world.dials).toEqual([])
  expect(await ports.calls.findCall(orderId)).toMatchObject({
    order: { status: 'post_processing' },
    attempts: [{ status: 'error', dialError: 'non_classified_error' }],
  })
})
