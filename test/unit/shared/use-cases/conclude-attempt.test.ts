import { beforeEach, expect, test } from 'vitest'

import { AdapterError } from '#shared/ports/adapter-error.ts'
import { changeAttempt } from '#shared/use-cases/change-attempt.ts'
import { concludeAttempt } from '#shared/use-cases/conclude-attempt.ts'
import { dispatchScope } from '#shared/use-cases/dispatch-scope.ts'
import { startAttempt } from '#shared/use-cases/start-attempt.ts'
import { campaignStage } from '#test/support/campaign-stage.ts'
import { useCasePorts } from '#test/support/use-case-ports.ts'

const NOW = Date.parse('2026-11-18T15:00:00Z')

let stage: ReturnType<typeof useCasePorts>
let orderId: string
/** A row whose call has ended: the line was busy. */
beforeEach(async () => {
  stage = useCasePorts(NOW)
  const { ports } = stage
  const campaigns = await campaignStage(ports)
  const { id } = await campaigns.create(1)
  await campaigns.work(id)
  await dispatchScope(ports, `CMP#${id}`)
  orderId = campaigns.orderIdOf(id, 0)
  const target = { orderId, number: 1 }
  await startAttempt(ports, { ...target, owner: 'runtime', mediaUrl: 'wss://media' })
  await changeAttempt(ports, target, () => ({
    type: 'carrierEnded',
    at: NOW,
    cause: { sipCode: 486, reason: null, q850: null, endedBy: 'callee' },
    graceUntil: 0,
  }))
})

const conclude = (isLastChance: boolean) =>
  concludeAttempt(stage.ports, { orderId, number: 1, isLastChance })
const order = () => stage.ports.calls.findOrder(orderId)
const undone = async () =>
  (await stage.ports.calls.listUndone(Number.MAX_SAFE_INTEGER, 10)).map(({ id }) => id)

/** From now on every conclusion fails like that. */
function failWith(error: Error): void {
  stage.ports.assistants.findVersion = async () => {
    throw error
  }
}

test('an order on which our own code fails to the last is errored, announced, and holds nothing', async () => {
  failWith(new TypeError('a bug'))
  await expect(conclude(false)).rejects.toThrow('a bug')
  expect(await order()).toMatchObject({ status: 'post_processing' })
  expect(await undone()).toEqual(['conclude-1'])

  await expect(conclude(true)).rejects.toThrow('a bug')
  expect(await order()).toMatchObject({ status: 'errored', dueAt: null })
  expect(await undone()).toEqual(['announce-call.completed'])
  expect(await stage.ports.permits.count('ORG#org_1', NOW)).toBe(0)
  // The dead letter, given back before and after the bug is mended.
  await expect(conclude(true)).rejects.toThrow('a bug')
  expect(await undone()).toEqual(['announce-call.completed'])
})

test('an order whose table cannot be reached waits for as long as that lasts', async () => {
  failWith(new AdapterError('down', { retryable: true }))
  await expect(conclude(true)).rejects.toThrow('down')
  expect(await order()).toMatchObject({ status: 'post_processing' })
  expect(await undone()).toEqual(['conclude-1'])
})
