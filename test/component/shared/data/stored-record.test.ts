import type { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, test } from 'vitest'

import { dynamoCallStore } from '#shared/data/call-store.ts'
import type { Item } from '#shared/data/dynamo-table.ts'
import { readRecord, readUntorn, TORN } from '#shared/data/stored-record.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { CallWrite } from '#shared/ports/call-store.ts'
import {
  endedAttempt,
  incompressible,
  next,
  sampleAssistant,
  sampleAttempt,
  sampleOrder,
} from '#test/contract/ports/sample-records.ts'

/** The sort keys and items that a save writes. */
async function written(write: CallWrite) {
  const items: { sk: string; item: Item }[] = []
  const send = async ({ input }: TransactWriteCommand) => {
    for (const { Put, Update, Delete } of input.TransactItems ?? []) {
      const item = Put?.Item ??
        Delete?.Key ?? { ...Update?.Key, ...Update?.ExpressionAttributeValues }
      items.push({ sk: String(item['sk']), item })
    }
  }
  const client = { send } as unknown as DynamoDBDocumentClient
  await dynamoCallStore({ client, tableName: 'table' }).save(write)
  return items
}

describe('what a save writes', () => {
  const settings = sampleAssistant({ prompt: incompressible(2000) })
  const fresh = { attemptsMade: 0, lastAttempt: null }
  const order = sampleOrder({ assistant: { kind: 'inline', settings }, campaign: null, ...fresh })
  const sortKeys = async (write: CallWrite) => (await written(write)).map(({ sk }) => sk)

  test('a new order is a head and a document', async () => {
    const write = { order: { before: null, after: order }, effects: [] }
    expect(await sortKeys(write)).toEqual(['META', 'CFG#000'])
  })

  test('a change of an order is its head alone, about 1 KB', async () => {
    const after = next(order, { status: 'calling', dueAt: null, metadata: { ...order.metadata } })
    const items = await written({ order: { before: order, after }, effects: [] })
    expect(items.map(({ sk }) => sk)).toEqual(['META'])
    expect(JSON.stringify(items[0]?.item).length).toBeLessThan(1500)
  })

  test('one that would be called again can be found by its number, until it is', async () => {
    const waiting = sampleOrder({ campaign: null })
    const called = next(waiting, { status: 'calling', dueAt: null, attemptsMade: 2 })
    const pointer = '000000000000002#call_1'
    const write = { order: { before: null, after: waiting }, effects: [] }
    expect(await sortKeys(write)).toContain(pointer)
    const change = { order: { before: waiting, after: called }, effects: [] }
    expect(await sortKeys(change)).toEqual(['META', pointer])
  })

  test('an order of a campaign counts itself in the same transaction', async () => {
    const row = sampleOrder({ campaign: { campaignId: 'camp_1', rowId: 'row_1', rowIndex: 0 } })
    expect(await sortKeys({ order: { before: null, after: row }, effects: [] })).toContainEqual(
      expect.stringMatching(/^STAT#\d\d$/),
    )
  })

  test('a live attempt is one item until there is something to tell', async () => {
    const live = sampleAttempt()
    const ringing = next(live, { status: 'ringing' })
    const ended = { ...endedAttempt(), version: 2 }
    const write = (before: typeof live | null, after: typeof live) =>
      sortKeys({ attempt: { before, after }, effects: [] })
    expect(await write(null, live)).toEqual(['ATT#001'])
    expect(await write(live, ringing)).toEqual(['ATT#001'])
    expect(await write(live, ended)).toEqual(['ATT#001', 'ATT#001#DOC#000'])
    expect(await write(ended, next(ended, { concludedAt: 1 }))).toEqual(['ATT#001'])
  })

  test('no item comes near the 400 KB that DynamoDB takes', async () => {
    const transcript = [{ role: 'user', content: incompressible(1_000_000) }] as const
    const items = await written({
      attempt: { before: null, after: endedAttempt({ transcript }) },
      effects: [],
    })
    const sizes = items.map(({ item }) => (item['data'] as Uint8Array | undefined)?.length ?? 0)
    expect(items.map(({ sk }) => sk)).toEqual([
      'ATT#001',
      'ATT#001#DOC#000',
      'ATT#001#DOC#001',
      'ATT#001#DOC#002',
    ])
    expect(Math.max(...sizes)).toBeLessThanOrEqual(350_000)
  })
})

describe('what a query sees of a record that is being written', () => {
  const head = (version: number, chunks = 1) => ({ part: 'head', document: { version, chunks } })
  const chunk = (version: number, data: string) => ({ part: 'document', version, data })

  test.each<[string, Item[], unknown]>([
    ['nothing', [], null],
    ['a document without its head', [chunk(1, '1')], null],
    ['a head without its document', [head(1)], TORN],
    ['a head that is newer', [head(2), chunk(1, '1')], TORN],
    ['a head that is older', [head(1), chunk(2, '2')], TORN],
    ['half of a document', [head(1, 2), chunk(1, '1')], TORN],
    ['two halves of different documents', [head(2, 2), chunk(2, '2'), chunk(1, '1')], TORN],
  ])('%s', async (_, items, expected) => {
    expect(await readRecord(items)).toBe(expected)
  })

  test('pieces that a longer document left behind are ignored', async () => {
    const items = [head(2, 1), chunk(2, '"new"'), chunk(1, 'old')]
    expect(await readRecord(items)).toEqual({ head: {}, document: 'new', lines: [] })
  })

  test('it is read again until it is whole, but not for ever', async () => {
    const answers = [TORN, TORN, 'whole']
    expect(await readUntorn(async () => answers.shift())).toBe('whole')
    const error = await readUntorn(async () => TORN).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AdapterError)
  })
})
