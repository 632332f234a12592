import type { SQSEvent } from 'aws-lambda'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { dispatch } from '#functions/dialer/dispatch.ts'
import { queueHandler } from '#functions/middleware/queue.ts'
import { localSecretBox } from '#shared/adapters/local/local-secret-box.ts'
import { dynamoStores } from '#shared/data/dynamo-stores.ts'
import { NO_ROWS } from '#shared/domain/campaign/row-stats.ts'
import { campaignScope } from '#shared/domain/scope.ts'
import { admitOrder } from '#shared/use-cases/admit-order.ts'
import { changeAttempt } from '#shared/use-cases/change-attempt.ts'
import { concludeAttempt } from '#shared/use-cases/conclude-attempt.ts'
import { startAttempt } from '#shared/use-cases/start-attempt.ts'
import { ALWAYS } from '#test/support/an-order.ts'
import { campaignStage } from '#test/support/campaign-stage.ts'
import { startDynamoDb, type LocalDynamoDb } from '#test/support/dynamodb.ts'
import { useCasePorts } from '#test/support/use-case-ports.ts'

const NOW = Date.parse('2026-11-18T15:00:00Z')
const RETRY_DELAY_MS = 60_000
const MESSAGES_AT_ONCE = 16
const BATCH_SIZE = 5

let database: LocalDynamoDb
beforeAll(async () => {
  database = await startDynamoDb()
})
afterAll(() => database.stop())

let world: ReturnType<typeof useCasePorts>['world']
let ports: ReturnType<typeof useCasePorts>['ports']
let stage: Awaited<ReturnType<typeof campaignStage>>
beforeEach(async () => {
  const inMemory = useCasePorts(NOW)
  const secretBox = localSecretBox({ secret: () => 'secret' })
  world = inMemory.world
  ports = {
    ...inMemory.ports,
    ...dynamoStores(await database.newTable(), secretBox),
    limits: {
      trunk: { id: 'trunk', maxConcurrentCalls: 1_000, callsPerSecond: 1_000 },
      ringTimeoutSecs: 30,
    },
  }
  stage = await campaignStage(ports)
})

test('400 admissions at once against a cap of 120 are exactly 120', async () => {
  const [asked, cap] = [400, 120]
  const { id } = await stage.create(asked)
  await stage.work(id)
  const orders = await stage.orders(id, asked)
  const claim = { scope: 'ORG#org_1', cap }
  const admissions = await Promise.all(
    orders.map((order) =>
      admitOrder(ports, {
        order,
        assistants: ports.assistants,
        shared: [claim],
        defaultFromPhoneNumber: '+12025550199',
      }),
    ),
  )
  const countOf = (wanted: string) => admissions.filter(({ kind }) => kind === wanted).length
  expect([countOf('admitted'), countOf('full')]).toEqual([cap, asked - cap])
  expect(await ports.permits.count(claim.scope, NOW)).toBe(cap)
  const counted = { ...NO_ROWS, calling: cap, pending: asked - cap, total: asked }
  expect(await ports.calls.rowStats(id)).toEqual(counted)
  const attempts = await ports.calls.listExpiredLeases(Number.MAX_SAFE_INTEGER, asked)
  expect(new Set(attempts.map(({ orderId }) => orderId)).size).toBe(cap)
  // Nobody who was turned away keeps a permit of the person whom they would have called.
  const ringing = await Promise.all(
    orders.map(({ toPhoneNumber }) => ports.permits.count(`TO#org_1#${toPhoneNumber}`, NOW)),
  )
  expect(ringing.reduce((sum, count) => sum + count, 0)).toBe(cap)
}, 240_000)

/** The same order each time, and not the one of before. */
function shuffled<T>(values: readonly T[]): T[] {
  const rank = (index: number) => (index * 7_919 + 31) % 10_007
  return values
    .map((value, index) => ({ value, at: rank(index) }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ value }) => value)
}

async function inCrowd<T>(work: readonly T[], handle: (one: T) => Promise<unknown>): Promise<void> {
  const left = work.values()
  const workers = Array.from({ length: MESSAGES_AT_ONCE }, async () => {
    for (const one of left) await handle(one)
  })
  await Promise.all(workers)
}

type Delivery =
  | { readonly kind: 'dispatch' }
  | { readonly kind: 'start'; readonly orderId: string; readonly number: number }

/** Everything is delivered to whoever is free: dispatchers by the batch, attempts to any runtime. */
async function deliver(scope: string, deliveries: readonly Delivery[]): Promise<void> {
  const handle = queueHandler(dispatch, () => ports)
  let runtimes = 0
  await inCrowd(deliveries, async (delivery) => {
    if (delivery.kind === 'start') {
      const { orderId, number } = delivery
      const owner = `runtime-${(runtimes += 1)}`
      return startAttempt(ports, { orderId, number, owner, mediaUrl: 'wss://media' })
    }
    const Records = Array.from({ length: BATCH_SIZE }, (_, index) => ({
      messageId: String(index),
      body: JSON.stringify({ scope }),
      attributes: { ApproximateReceiveCount: '1' },
    }))
    expect(await handle({ Records } as unknown as SQSEvent)).toEqual({ batchItemFailures: [] })
  })
}

test('1,000 duplicate and reordered messages dial each attempt once', async () => {
  const [rows, copies, batches] = [25, 8, 20]
  const { id } = await stage.create(rows, { callRetryConfig: { ...ALWAYS, maxRetryAttempts: 2 } })
  await stage.work(id)
  const scope = campaignScope(id)
  const dispatches = Array.from({ length: batches }, (): Delivery => ({ kind: 'dispatch' }))
  const starts = (number: number) =>
    Array.from({ length: rows * copies }, (_, index): Delivery => {
      return { kind: 'start', orderId: stage.orderIdOf(id, index % rows), number }
    })
  const attemptsDialled = () => world.dials.map(({ orderId, number }) => `${orderId} ${number}`)
  const attemptsOf = (...numbers: number[]) =>
    numbers.flatMap((number) =>
      Array.from({ length: rows }, (_, index) => `${stage.orderIdOf(id, index)} ${number}`),
    )

  await deliver(scope, dispatches)
  await deliver(scope, shuffled([...starts(1), ...dispatches]))
  expect(attemptsDialled().toSorted()).toEqual(attemptsOf(1).toSorted())

  for (let index = 0; index < rows; index += 1) await endBusy(stage.orderIdOf(id, index), 1)
  world.now += RETRY_DELAY_MS
  await deliver(scope, dispatches)
  // Messages of the first attempts are still about.
  await deliver(scope, shuffled([...starts(1), ...starts(2), ...dispatches]))
  expect(attemptsDialled().toSorted()).toEqual(attemptsOf(1, 2).toSorted())
  expect(await ports.calls.rowStats(id)).toEqual({ ...NO_ROWS, calling: rows, total: rows })
}, 240_000)

async function endBusy(orderId: string, number: number): Promise<void> {
  await changeAttempt(ports, { orderId, number }, () => ({
    type: 'carrierEnded',
    at: ports.clock.now(),
    cause: { sipCode: 486, reason: null, q850: null, endedBy: 'callee' },
    graceUntil: 0,
  }))
  await concludeAttempt(ports, { orderId, number, isLastChance: true })
}
