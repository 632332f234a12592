import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { OUTCOMES } from '#shared/domain/assistant.ts'
import { ATTEMPT_RESULTS } from '#shared/domain/call-attempt/attempt.ts'
import { CALL_ORDER_STATUSES, type CallOrder } from '#shared/domain/call-order/order.ts'
import { DAY_MS, toIso } from '#shared/domain/time.ts'
import { anOrder, aSummary, NOON } from '#test/support/an-order.ts'
import { type ApiClient, succeeded } from '#test/support/api-client.ts'
import { type Api, startApi } from '#test/support/api-server.ts'
import type { SearchCallsBody } from '#test/support/generated/parley-client.ts'
import { parseCsv } from '#test/support/parse-csv.ts'
import { callId } from '#test/support/seed-calls.ts'

const COUNT = 20_000
/** Drawn with the seed below, besides one for each field alone. */
const FILTERS = 24
const SEED = 20_000
const START = NOON - 80 * DAY_MS
const NAMES = ['', 'Zoë', 'ADA', 'ada lovelace', 'Straße', '"q"', 'a%b_c', '🙋🏽']
const NUMBERS = Array.from({ length: 40 }, (_, index) => `+1202555${1_000 + index}`)
const TIERS = ['gold', 'silver', '']

let api: Api
let client: ApiClient
let assistantIds: string[]
let campaignIds: string[]
/** Oldest first. */
let orders: readonly CallOrder[]
beforeAll(async () => {
  api = await startApi()
  client = api.client()
  const bodies = ['A', 'B', 'C'].map((name) => ({ name, prompt: 'P' }))
  const created = await Promise.all(
    bodies.map((body) => succeeded(client.createAssistant({ body }))),
  )
  assistantIds = created.map(({ assistant }) => assistant.id)
  const campaign = {
    name: 'Spring',
    assistant_id: assistantIds[0] ?? '',
    contacts: [{ to_phone_number: '+12025550100' }],
    scheduled_at: '2030-01-01T00:00:00Z',
  }
  const campaigns = [await succeeded(client.createCampaign({ body: campaign }))]
  campaignIds = campaigns.map(({ campaign: { id } }) => id)
  orders = Array.from({ length: COUNT }, (_, index) => orderAt(index))
  await api.seedOrders(orders)
  await api.seedOrders([{ ...orderAt(COUNT), organizationId: 'org_2' }])
}, 180_000)
afterAll(() => api.stop())

/** One of many kinds; four are created in the same millisecond. */
function orderAt(index: number): CallOrder {
  /** Digits of the index after a stir, so that the fields do not go together. */
  let rest = (index * 2_654_435_761) % 4_294_967_296
  const draw = <T>(values: readonly T[]): T => {
    const value = values[rest % values.length]
    rest = Math.floor(rest / values.length) + index
    return value as T
  }
  const isInbound = draw([true, false, false])
  const prospect = draw(NUMBERS)
  const campaignId = draw([...campaignIds, null, null])
  const result = draw([null, ...ATTEMPT_RESULTS])
  return anOrder({
    id: callId(index),
    createdAt: START + Math.floor(index / 4) * 1_300_000,
    dueAt: null,
    status: draw(CALL_ORDER_STATUSES),
    direction: isInbound ? 'inbound' : 'outbound',
    toPhoneNumber: isInbound ? '+12025550199' : prospect,
    fromPhoneNumber: isInbound ? prospect : '+12025550199',
    assistant: { kind: 'stored', assistantId: draw(assistantIds), version: 1 },
    campaign: campaignId === null ? null : { campaignId, rowId: 'row_1', rowIndex: 0 },
    lastAttempt: draw([true, true, false]) ? aSummary({ result }) : null,
    outcome: draw([null, ...OUTCOMES]),
    promptVariables: { first_name: draw(NAMES), other: draw(NAMES) },
    metadata: { tier: draw(TIERS), batch: String(index % 7) },
  })
}

/** What decisions 2 says of each field, of one order after the other. */
function matching(filter: SearchCallsBody): readonly string[] {
  const isIn = (wanted: readonly string[] | undefined, value: string | null | undefined) =>
    wanted === undefined || wanted.length === 0 || wanted.includes(value ?? 'none')
  const { phone_number: number, created_from: from, created_to: to, query = '' } = filter
  return orders
    .filter((order) => {
      const prospect = order.direction === 'outbound' ? order.toPhoneNumber : order.fromPhoneNumber
      const texts = [order.id, prospect ?? '', order.promptVariables['first_name'] ?? '']
      const assistantId = order.assistant.kind === 'stored' ? order.assistant.assistantId : ''
      return (
        texts.some((text) => text.toLowerCase().includes(query.toLowerCase())) &&
        isIn(filter.assistant_ids, assistantId) &&
        isIn(filter.campaign_ids, order.campaign?.campaignId ?? '') &&
        isIn(filter.statuses, order.status) &&
        isIn(filter.results, order.lastAttempt?.result) &&
        isIn(filter.outcomes, order.outcome) &&
        isIn(filter.directions, order.direction) &&
        (typeof number !== 'string' || number === prospect) &&
        (typeof from !== 'string' || Date.parse(from) <= order.createdAt) &&
        (typeof to !== 'string' || order.createdAt < Date.parse(to)) &&
        Object.entries(filter.metadata ?? {}).every(([key, text]) => order.metadata[key] === text)
      )
    })
    .map(({ id }) => id)
}

/** Each field is left out more often than not, so that several together still find calls. */
function anyFilter(): fc.Arbitrary<SearchCallsBody> {
  const seldom = <T>(values: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 2, arbitrary: values })
  const some = <T>(values: readonly T[]) => seldom(fc.subarray([...values], { minLength: 1 }))
  const moment = seldom(fc.integer({ min: START, max: NOON }).map(toIso))
  return fc.record({
    query: seldom(fc.constantFrom('ada', 'ZOË', '5551007', '%', 'a%b', callId(123), '🙋🏽', 'ß')),
    assistant_ids: some([...assistantIds, 'asst_none']),
    campaign_ids: some([...campaignIds, 'camp_none']),
    statuses: some(CALL_ORDER_STATUSES),
    results: some([...ATTEMPT_RESULTS, 'none' as const]),
    outcomes: some([...OUTCOMES, 'none' as const]),
    directions: some(['inbound', 'outbound'] as const),
    phone_number: seldom(fc.constantFrom(...NUMBERS, '+12025559999')),
    created_from: moment,
    created_to: moment,
    metadata: seldom(
      fc.constantFrom<Record<string, string>>(
        { tier: 'gold' },
        { tier: '', batch: '3' },
        { x: '' },
      ),
    ),
  }) as fc.Arbitrary<SearchCallsBody>
}

const search = (body: SearchCallsBody) => succeeded(client.searchCalls({ body }))
const idsOf = ({ calls }: { readonly calls: readonly { readonly id: string }[] }) =>
  calls.map(({ id }) => id)

async function place(): Promise<string> {
  const body = {
    phone_number: '+12025550100',
    assistant_id: assistantIds[0] ?? '',
    metadata: { batch: '3' },
  }
  return (await succeeded(client.createCall({ body }))).call.id
}

test('POST /call/search on 20,000 calls finds what one look at each of them finds', async () => {
  const alone: readonly SearchCallsBody[] = [
    {},
    { query: 'ada' },
    { assistant_ids: assistantIds.slice(1) },
    { campaign_ids: campaignIds },
    { statuses: ['paused', 'errored'] },
    { results: ['human', 'none'] },
    { outcomes: ['none'] },
    { directions: ['inbound'] },
    { phone_number: NUMBERS[7] },
    { created_from: toIso(START + 40 * DAY_MS) },
    { created_to: toIso(START + 40 * DAY_MS) },
    { metadata: { batch: '3' } },
  ]
  const drawn = fc.sample(anyFilter(), { numRuns: FILTERS, seed: SEED })
  let found = 0
  for (const [index, filter] of [...alone, ...drawn].entries()) {
    const wanted = matching(filter)
    const sort = index % 2 === 0 ? 'created_at:desc' : 'created_at:asc'
    const answer = await search({ ...filter, sort, limit: 20 })
    const sorted = index % 2 === 0 ? wanted.toReversed() : wanted
    expect([filter, answer.total_count]).toEqual([filter, wanted.length])
    expect([filter, idsOf(answer)]).toEqual([filter, sorted.slice(0, 20)])
    if (wanted.length > 0 && wanted.length < COUNT) found += 1
  }
  // Filters that find nothing, or everything, would show little.
  expect(found).toBeGreaterThan(FILTERS / 2)
}, 180_000)

test('POST /call/search: pages hold every call once while new ones arrive', async () => {
  const filter = { metadata: { batch: '3' } }
  const wanted = [...matching(filter)]
  const listed: string[] = []
  let cursor: string | null = null
  let placed = 0
  do {
    const answer: Awaited<ReturnType<typeof search>> = await search({
      ...filter,
      limit: 200,
      cursor,
    })
    expect(answer.total_count).toBe(wanted.length + placed)
    listed.push(...idsOf(answer))
    cursor = answer.next_cursor
    await place()
    placed += 1
  } while (cursor !== null)
  expect(placed).toBe(Math.ceil(wanted.length / 200))
  expect(listed).toEqual(wanted.reverse())
}, 180_000)

test('POST /call/export: the parts put together are one table with every call once', async () => {
  const before = (await search({ limit: 1 })).total_count
  const late: string[] = []
  let csv = ''
  let offset: string | null = null
  do {
    const body = { columns: ['id', 'metadata.batch'], offset } as const
    const part: { readonly csv: string; readonly next_offset: string | null } = await succeeded(
      client.exportCalls({ body: { ...body, columns: [...body.columns] } }),
    )
    csv += part.csv
    offset = part.next_offset
    if (offset !== null) late.push(await place())
  } while (offset !== null)
  const [header, ...rows] = parseCsv(csv)
  expect(header).toEqual(['id', 'metadata.batch'])
  expect(rows).toHaveLength(before + late.length)
  expect(new Set(rows.map(([id]) => id)).size).toBe(rows.length)
  expect(rows.slice(0, COUNT)).toEqual(orders.map(({ id, metadata }) => [id, metadata['batch']]))
  expect(rows.slice(-late.length).map(([id]) => id)).toEqual(late)
}, 180_000)
