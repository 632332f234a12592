import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { campaignRowSchema, type CampaignRowWire } from '#shared/contract/campaign.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { rowIds } from '#shared/domain/campaign/row-ids.ts'
import { workOnCampaign } from '#shared/use-cases/work-on-campaign.ts'
import { aSummary } from '#test/support/an-order.ts'
import { KEYS } from '#test/support/api-ports.ts'
import { type Api, fieldErrorsOf, startApi } from '#test/support/api-server.ts'
import { hash } from '#test/support/campaign-stage.ts'

const COUNT = 2_300

let api: Api
let assistantId: string
let campaignId: string
beforeAll(async () => {
  api = await startApi()
  const json = { name: 'A', prompt: 'P' }
  assistantId = (await api.request('POST', '/v1/assistants', { json })).body.assistant.id
  const contacts = Array.from({ length: COUNT }, (_, index) => ({
    to_phone_number: index === 5 ? 'nobody' : `+1202555${String(1_000 + index)}`,
    prompt_variables: { first_name: `Person ${index}`, first: 'x' },
  }))
  campaignId = await createCampaign(contacts)
  await change(1, { status: 'completed', lastAttempt: aSummary({ result: 'human' }) })
  await change(1_500, { status: 'scheduled', lastAttempt: aSummary({ result: 'voicemail' }) })
  await change(2_299, { status: 'completed', lastAttempt: aSummary({ result: 'human' }) })
})
afterAll(() => api.stop())

async function createCampaign(contacts: object[]): Promise<string> {
  const json = { assistant_id: assistantId, name: 'Spring', contacts }
  const { id } = (await api.request('POST', '/v1/campaigns', { json })).body.campaign
  for (let rows = 0; rows < contacts.length; rows += 1_000) {
    await workOnCampaign(api.ports, { campaignId: id, hash })
  }
  return id
}

async function change(index: number, changes: Partial<CallOrder>): Promise<void> {
  const { calls } = api.ports
  const before = await calls.findOrder(rowIds(hash, campaignId, index).orderId)
  if (before === null) throw new Error('no such row')
  const after = { ...before, ...changes, dueAt: null, version: before.version + 1 }
  await calls.save({ order: { before, after }, effects: [] })
}

const ask = (query: string, id = campaignId, key = KEYS.test) =>
  api.request('GET', `/v1/campaigns/${id}/rows?${query}`, { key })
const indexes = async (query: string): Promise<number[]> =>
  (await ask(query)).body.rows.map((row: CampaignRowWire) => row.row_index)
const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index)

describe('spec 4.2 GET /campaigns/{id}/rows', () => {
  test('spec 2.8 shows each contact with its call', async () => {
    const answer = await ask('page=1&page_size=10')
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ page: 1, page_size: 10 })
    const rows: CampaignRowWire[] = answer.body.rows
    expect(rows.map((row) => campaignRowSchema.parse(row))).toEqual(rows)
    expect(rows[0]).toMatchObject({
      id: expect.stringMatching(/^row_[0-9A-Z]{26}$/),
      input_data: { first_name: 'Person 0', first: 'x' },
      phone_number: '+12025551000',
      row_index: 0,
      call: {
        campaign: { id: campaignId, name: 'Spring' },
        to_phone_number: '+12025551000',
        prompt_variables: { first_name: 'Person 0', first: 'x' },
        status: 'scheduled',
        assistant: { id: assistantId },
        visual_number: null,
      },
    })
    const { call } = (await api.request('GET', `/v1/call/${rows[0]?.call?.id}`)).body
    expect(rows[0]?.call).toEqual(call)
  })

  test('a row that can never be called says why', async () => {
    const [row] = (await ask('page=6&page_size=1')).body.rows
    expect(row).toMatchObject({
      phone_number: 'nobody',
      error: 'The phone number is not in E.164 form.',
      call: { status: 'errored', calls_count: 0 },
    })
  })

  test('pages hold every row once, up to the last', async () => {
    expect(await indexes('page=1&page_size=1000')).toEqual(range(0, 1_000))
    expect(await indexes('page=2&page_size=1000')).toEqual(range(1_000, 2_000))
    expect(await indexes('page=3&page_size=1000')).toEqual(range(2_000, COUNT))
    expect(await indexes('page=4&page_size=1000')).toEqual([])
    expect(await indexes('page=329&page_size=7')).toEqual(range(2_296, COUNT))
  })

  test.each<[string, number[]]>([
    ['result=human', [1, 2_299]],
    ['result=voicemail', [1_500]],
    ['result=human&statuses=scheduled', []],
    ['statuses=completed', [1, 2_299]],
    ['statuses=completed,errored', [1, 5, 2_299]],
    ['statuses=completed&statuses=errored', [1, 5, 2_299]],
    ['query=person%202299', [2_299]],
    ['query=%2B12025551007', [7]],
    ['query=12025551007&result=human', []],
    ['query=no-such-text', []],
    ['result=IVR', []],
  ])('spec 4.2 %s', async (filter, expected) => {
    expect(await indexes(`page=1&page_size=50&${filter}`)).toEqual(expected)
  })

  test('spec 4.2 result=all, none, and empty filters', async () => {
    expect(await indexes('page=1&page_size=5&result=all')).toEqual(range(0, 5))
    expect(await indexes('page=1&page_size=5&result=none')).toEqual([0, 2, 3, 4, 5])
    expect(await indexes('page=1&page_size=5&query=&statuses=')).toEqual(range(0, 5))
  })

  test('filtered pages hold every match once', async () => {
    expect(await indexes('page=2&page_size=1000&result=none')).toEqual(
      range(1_001, 2_002).filter((index) => index !== 1_500),
    )
    expect(await indexes('page=2&page_size=1&result=human')).toEqual([2_299])
    expect(await indexes('page=3&page_size=1&result=human')).toEqual([])
  })

  test.each<[string, [string, string][]]>([
    [
      '',
      [
        ['/page', 'required'],
        ['/page_size', 'required'],
      ],
    ],
    ['page=0&page_size=1', [['/page', 'too_small']]],
    ['page=1e3&page_size=1', [['/page', 'invalid_type']]],
    ['page=1&page=2&page_size=1', [['/page', 'invalid_type']]],
    ['page=1&page_size=0', [['/page_size', 'too_small']]],
    ['page=1&page_size=1001', [['/page_size', 'too_big']]],
    [
      'page=1.5&page_size=x',
      [
        ['/page', 'invalid_type'],
        ['/page_size', 'invalid_type'],
      ],
    ],
    ['page=1&page_size=1&result=maybe', [['/result', 'invalid_value']]],
    ['page=1&page_size=1&statuses=completed,done', [['/statuses/1', 'invalid_value']]],
    ['page=1&page_size=1&limit=3', [['/limit', 'unknown_field']]],
  ])('spec 4.2 ?%s is refused', async (query, errors) => {
    expect(fieldErrorsOf(await ask(query))).toEqual(errors)
  })

  test('spec 5.2 is a 404 for an unknown id and for another organization', async () => {
    expect((await ask('page=1&page_size=1', 'camp_none')).status).toBe(404)
    expect((await ask('page=1&page_size=1', campaignId, KEYS.other)).status).toBe(404)
  })

  test('what is too large for one answer is shown in smaller pages', async () => {
    const text = 'x'.repeat(60_000)
    const contacts = range(0, 100).map((index) => ({
      to_phone_number: `+1202555${1_000 + index}`,
      prompt_variables: index < 60 ? { text } : {},
    }))
    const id = await createCampaign(contacts)
    const { rows } = (await ask('page=1&page_size=60', id)).body
    const withCalls = rows.filter(({ call }: CampaignRowWire) => call !== undefined)
    expect([rows.length, withCalls.length > 0, withCalls.length < 60]).toEqual([60, true, true])
    expect((await ask('page=1&page_size=20', id)).body.rows.at(-1)).toHaveProperty('call')
  })
})
