import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb'
import type { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, test } from 'vitest'

import { dynamoCallStore } from '#shared/data/call-store.ts'
import { withConflictRetry } from '#shared/data/with-conflict-retry.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import { sampleOrder } from '#test/contract/ports/sample-records.ts'

const META = { message: '', $metadata: {} }
const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({
    ...META,
    CancellationReasons: codes.map((Code) => ({ Code })),
  })
const conflict = () => new TransactionConflictException(META)
const lost = () => new ConditionalCheckFailedException(META)

/** Fails with the given errors one after the other, then answers `{}`. */
function failing(errors: readonly Error[]) {
  const commands: TransactWriteCommand[] = []
  const send = async (command: TransactWriteCommand) => {
    const error = errors[commands.length]
    commands.push(command)
    if (error !== undefined) throw error
    return {}
  }
  return { commands, send }
}

/** A table behind that, which notes how long it was waited. */
function failingTable(errors: readonly Error[], random = () => 0.5) {
  const { commands, send } = failing(errors)
  const waits: number[] = []
  const sleep = async (ms: number) => void waits.push(ms)
  const client = { send } as unknown as DynamoDBDocumentClient
  return { commands, waits, random, sleep, client, tableName: 'table' }
}

const creation = { order: { before: null, after: sampleOrder() }, effects: [] }

describe('a save', () => {
  test.each([
    ['TransactionConflict', cancelled('None', 'TransactionConflict')],
    ['ThrottlingError', cancelled('ThrottlingError')],
    ['ProvisionedThroughputExceeded', cancelled('ProvisionedThroughputExceeded')],
  ])('is repeated under the same token after %s', async (_, error) => {
    const table = failingTable([error, error, error])
    expect(await dynamoCallStore(table).save(creation)).toEqual({ kind: 'saved' })
    expect(table.commands).toHaveLength(4)
    expect(table.waits).toEqual([10, 20, 40])
    const tokens = new Set(table.commands.map(({ input }) => input.ClientRequestToken))
    expect(tokens.size).toBe(1)
    expect([...tokens][0]).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('that loses a condition is a conflict at once, whatever else was in its way', async () => {
    const table = failingTable([cancelled('ConditionalCheckFailed', 'TransactionConflict')])
    expect(await dynamoCallStore(table).save(creation)).toEqual({ kind: 'conflict' })
    expect(table.commands).toHaveLength(1)
  })

  test('that meets a conflict and then loses a condition is a conflict', async () => {
    const table = failingTable([
      cancelled('TransactionConflict'),
      cancelled('ConditionalCheckFailed'),
    ])
    expect(await dynamoCallStore(table).save(creation)).toEqual({ kind: 'conflict' })
    expect(table.commands).toHaveLength(2)
  })

  test('gives up after eight tries with an error that says try later', async () => {
    const table = failingTable(Array.from({ length: 20 }, () => cancelled('TransactionConflict')))
    const error = await dynamoCallStore(table)
      .save(creation)
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AdapterError)
    expect((error as AdapterError).retryable).toBe(true)
    expect(table.commands).toHaveLength(8)
  })

  test.each([
    ['a malformed request', cancelled('ValidationError'), false],
    ['a broken connection', Object.assign(new Error('reset'), { code: 'ECONNRESET' }), true],
    ['a time-out', Object.assign(new Error('late'), { name: 'TimeoutError' }), true],
  ])('is not repeated by us after %s', async (_, thrown, retryable) => {
    const table = failingTable([thrown])
    const error = await dynamoCallStore(table)
      .save(creation)
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(AdapterError)
    expect((error as AdapterError).retryable).toBe(retryable)
    expect(table.commands).toHaveLength(1)
  })

  test('throws a bug as it is', async () => {
    const bug = new TypeError('not a function')
    await expect(dynamoCallStore(failingTable([bug])).save(creation)).rejects.toBe(bug)
  })
})

test('a single write is repeated after a conflict, and a lost condition is an answer', async () => {
  const extend = (errors: Error[]) =>
    dynamoCallStore(failingTable(errors)).extendLease('call_1', 1, 0, 1)
  expect(await extend([conflict(), conflict()])).toBe(true)
  expect(await extend([conflict(), lost()])).toBe(false)
})

test.each([
  { chance: 0, waits: [0, 0, 0, 0, 0, 0, 0] },
  { chance: 0.999, waits: [20, 40, 80, 160, 320, 640, 1000].map((ms) => ms * 0.999) },
])('waits are drawn from all of a growing, bounded span ($chance)', async ({ chance, waits }) => {
  const seen: number[] = []
  const { send } = failing(Array.from({ length: 7 }, conflict))
  const sleep = async (ms: number) => void seen.push(ms)
  await withConflictRetry(() => send({} as TransactWriteCommand), { random: () => chance, sleep })
  expect(seen).toEqual(waits)
})
