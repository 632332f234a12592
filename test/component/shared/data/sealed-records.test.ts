import type { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { expect, test } from 'vitest'

import { localSecretBox } from '#shared/adapters/local/local-secret-box.ts'
import { dynamoStores } from '#shared/data/dynamo-stores.ts'
import { unpack, type Packed } from '#shared/data/stored-record.ts'
import type { Assistant } from '#shared/domain/assistant.ts'
import type { Stores } from '#shared/ports/service-ports.ts'
import { sampleAssistant } from '#test/contract/ports/sample-records.ts'

const SECRET = 'sk-only-the-customer-knows'
const secretBox = localSecretBox({ secret: () => 'the secret of a deployment' })

/** What a save puts into each item that it writes. */
async function writtenBy(save: (stores: Stores) => Promise<unknown>) {
  const items: Record<string, unknown>[] = []
  const send = async ({ input }: TransactWriteCommand) => {
    for (const { Put, Update } of input.TransactItems ?? []) {
      const values = Object.entries(Update?.ExpressionAttributeValues ?? {})
      items.push(
        Put?.Item ?? Object.fromEntries(values.map(([name, value]) => [name.slice(1), value])),
      )
    }
  }
  const client = { send } as unknown as DynamoDBDocumentClient
  await save(dynamoStores({ client, tableName: 'table' }, secretBox))
  return items
}

const tool = {
  name: 'a_tool',
  description: 'd',
  method: 'GET',
  url: 'https://example.com',
  queryParams: [],
  bodyTemplate: null,
  inputSchema: [],
} as const
const customModel = { type: 'custom', apiUrl: 'https://llm.example', modelName: 'm' } as const

test.each<[string, Partial<Assistant>]>([
  ['key of its own model', { llmModel: { ...customModel, apiKey: SECRET } }],
  ['header of a tool', { customTools: [{ ...tool, headers: [{ key: 'X', value: SECRET }] }] }],
])('an assistant with a %s is sealed wherever it is stored', async (_, changes) => {
  const after = sampleAssistant({ customTools: null, ...changes })
  const items = await writtenBy(({ assistants }) => assistants.save({ before: null, after }))
  expect(items).toHaveLength(2)
  for (const { sealed, assistant } of items) {
    expect(assistant).toBeUndefined()
    expect(JSON.parse(await secretBox.open(sealed as Uint8Array, 'asst_1'))).toEqual(after)
  }
})

test('an assistant without secrets needs no key to be read', async () => {
  const after = sampleAssistant({
    llmModel: { type: 'dedicated-instance', name: 'dedicated_model_1' },
    customTools: [{ ...tool, headers: [] }],
  })
  const items = await writtenBy(({ assistants }) => assistants.save({ before: null, after }))
  for (const { sealed, assistant } of items) {
    expect(sealed).toBeUndefined()
    expect(await unpack(assistant as Packed)).toEqual(after)
  }
})

test('a connection is sealed for its organization', async () => {
  const after = {
    id: 'conn_1',
    organizationId: 'org_1',
    version: 1,
    kind: 'chat',
    name: 'A name',
    settings: {},
    secrets: { token: SECRET },
    createdAt: 1,
    updatedAt: 1,
  } as const
  const [item] = await writtenBy(({ connections }) => connections.save({ before: null, after }))
  expect(Object.keys(item ?? {}).toSorted()).toEqual(['id', 'record', 'version'])
  const opened = await secretBox.open(item?.['record'] as Uint8Array, 'org_1#conn_1')
  expect(JSON.parse(opened)).toEqual(after)
})
