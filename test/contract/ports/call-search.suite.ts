import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'

import { type Assistant, OUTCOMES } from '#shared/domain/assistant.ts'
import { ATTEMPT_RESULTS } from '#shared/domain/call-attempt/attempt.ts'
import { CALL_ORDER_STATUSES, type CallOrder } from '#shared/domain/call-order/order.ts'
import { type CallFilter, EVERY_CALL } from '#shared/domain/call-search/call-filter.ts'
import type { CallPosition } from '#shared/domain/call-search/call-row.ts'
import type { CallSelection } from '#shared/ports/call-search.ts'
import type { Stores } from '#shared/ports/service-ports.ts'

import { next, sampleAssistant, sampleOrder } from './sample-records.ts'

interface SearchStores extends Pick<Stores, 'calls' | 'callSearch'> {
  /** Stores many new orders as `save` stores one. */
  readonly seed: (orders: readonly CallOrder[]) => Promise<void>
}

const START = Date.UTC(2025, 10, 20)
const END = Date.UTC(2026, 1, 10)
const NUMBERS = Array.from({ length: 12 }, (_, index) => `+120255501${10 + index}`)
const NAMES = ['', 'Zoë', 'ADA', 'ada lovelace', 'Straße', '"q"', 'a%b_c', '🙋🏽', 'lone \ud800']
const ASSISTANTS = ['asst_1', 'asst_2', 'asst_3']
const CAMPAIGNS = ['camp_1', 'camp_2']
const SETTINGS: Assistant = sampleAssistant({ faqItems: [], crmA: null })

/** An order of any kind; few moments and names, so that there are ties and hits. */
const anyOrder = fc.record({
  organizationId: fc.constantFrom('org_1', 'org_1', 'org_1', 'org_10'),
  createdAt: fc.oneof(fc.integer({ min: START, max: END - 1 }), fc.constantFrom(START, END - 1)),
  status: fc.constantFrom(...CALL_ORDER_STATUSES),
  direction: fc.constantFrom('inbound' as const, 'outbound' as const),
  prospect: fc.constantFrom(null, ...NUMBERS),
  assistantId: fc.constantFrom(null, ...ASSISTANTS),
  campaignId: fc.constantFrom(null, ...CAMPAIGNS),
  result: fc.constantFrom(undefined, null, ...ATTEMPT_RESULTS),
  outcome: fc.constantFrom(null, ...OUTCOMES),
  promptVariables: fc.dictionary(
    fc.constantFrom('first_name', 'company', 'email', 'other'),
    fc.constantFrom(...NAMES),
  ),
  metadata: fc.dictionary(fc.constantFrom('', 'a', 'b'), fc.constantFrom('', '1', '\ud800', 'x')),
})

function orderOf(index: number, values: typeof anyOrder extends fc.Arbitrary<infer T> ? T : never) {
  const { prospect, assistantId, campaignId, result, direction, ...rest } = values
  const isOutbound = direction === 'outbound'
  return sampleOrder({
    ...rest,
    id: `call_${String(index).padStart(6, '0')}`,
    direction,
    toPhoneNumber: isOutbound ? (prospect ?? '+12025550100') : '+12025550199',
    fromPhoneNumber: isOutbound ? '+12025550199' : prospect,
    assistant:
      assistantId === null
        ? { kind: 'inline', settings: SETTINGS }
        : { kind: 'stored', assistantId, version: 1 },
    campaign: campaignId === null ? null : { campaignId, rowId: 'row_1', rowIndex: 0 },
    lastAttempt:
      result === undefined
        ? null
        : { number: 1, startedAt: 1, endedAt: 2, result, dialError: null },
    dueAt: null,
  })
}

/** Mostly no restriction, so that several fields together still find calls. */
const seldom = <T>(none: T, restricted: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(none) }, { weight: 2, arbitrary: restricted })
const some = <T>(...values: T[]) => seldom<T[]>([], fc.subarray(values))

const anyFilter: fc.Arbitrary<CallFilter> = fc.record({
  text: seldom('', fc.constantFrom('ADA', 'zoë', '5550110', '%', 'call_0000', 'lone \ud800', 'ß')),
  assistantIds: some(...ASSISTANTS, 'asst_000007'),
  campaignIds: some(...CAMPAIGNS),
  statuses: some(...CALL_ORDER_STATUSES),
  results: some(...ATTEMPT_RESULTS, 'none' as const),
  outcomes: some(...OUTCOMES, 'none' as const),
  directions: some('inbound' as const, 'outbound' as const),
  phoneNumber: seldom<string | null>(null, fc.constantFrom(...NUMBERS)),
  metadata: seldom(
    {},
    fc.dictionary(fc.constantFrom('', 'a', 'b'), fc.constantFrom('', '1', '\ud800'), {
      maxKeys: 1,
    }),
  ),
})

/** What decisions 2 says, read from whole orders, one field after the other. */
function passes(order: CallOrder, filter: CallFilter): boolean {
  const number = order.direction === 'outbound' ? order.toPhoneNumber : order.fromPhoneNumber
  const assistantId =
    order.assistant.kind === 'stored'
      ? order.assistant.assistantId
      : `asst_${order.id.slice('call_'.length)}`
  const contact = ['first_name', 'last_name', 'company', 'email', 'job_title']
  const texts = [
    order.id,
    number ?? '',
    ...contact.map((name) => order.promptVariables[name] ?? ''),
  ]
  const isIn = (wanted: readonly string[], value: string | null | undefined) =>
    wanted.length === 0 || wanted.includes(value ?? 'none')
  return (
    texts.some((text) => text.toLowerCase().includes(filter.text.toLowerCase())) &&
    isIn(filter.assistantIds, assistantId) &&
    (filter.campaignIds.length === 0 ||
      filter.campaignIds.includes(order.campaign?.campaignId ?? '')) &&
    isIn(filter.statuses, order.status) &&
    isIn(filter.results, order.lastAttempt?.result) &&
    isIn(filter.outcomes, order.outcome) &&
    isIn(filter.directions, order.direction) &&
    (filter.phoneNumber === null || filter.phoneNumber === number) &&
    Object.entries(filter.metadata).every(([key, value]) => order.metadata[key] === value)
  )
}

function inOrder(orders: readonly CallOrder[], direction: 'asc' | 'desc'): string[] {
  const ids = orders
    .toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1))
    .map(({ id }) => id)
  return direction === 'asc' ? ids : ids.reverse()
}

const selectionOf = (changes: Partial<CallSelection> = {}): CallSelection => ({
  organizationId: 'org_1',
  createdFrom: START,
  createdTo: END,
  filter: EVERY_CALL,
  ...changes,
})

async function save(stores: SearchStores, order: CallOrder): Promise<void> {
  const write = { order: { before: null, after: order }, effects: [] }
  expect(await stores.calls.save(write)).toEqual({ kind: 'saved' })
}

/** Every page, one after the other. `between` runs before each page but the first. */
async function pages(
  { callSearch }: SearchStores,
  selection: CallSelection,
  page: { direction: 'asc' | 'desc'; limit: number; between?: () => Promise<void> },
): Promise<string[]> {
  const ids: string[] = []
  let after: CallPosition | null = null
  for (;;) {
    const rows = await callSearch.list(selection, { ...page, after })
    ids.push(...rows.map(({ id }) => id))
    expect(rows.length).toBeLessThanOrEqual(page.limit)
    if (rows.length < page.limit) return ids
    after = rows.at(-1) ?? null
    await page.between?.()
  }
}

/** What a search must do. `open` gives empty stores; `size` orders are stored in them once. */
export function callSearchSuite(
  open: () => Promise<SearchStores>,
  { size, runs }: { size: number; runs: number },
): void {
  describe(`with ${size} orders`, () => {
    const orders = fc
      .sample(anyOrder, { numRuns: size, seed: 7 })
      .map((values, index) => orderOf(index, values))
    const mine = orders.filter(({ organizationId }) => organizationId === 'org_1')
    let stores: SearchStores
    beforeAll(async () => {
      stores = await open()
      await stores.seed(orders)
    }, 120_000)

    test('any filter lists and counts what a look at every record finds', async () => {
      const middle = (START + END) / 2
      const created = mine.slice(0, 50).map(({ createdAt }) => createdAt)
      const from = fc.oneof(
        fc.constantFrom(START - 1, START, ...created),
        fc.integer({ min: START, max: middle }),
      )
      const to = fc.oneof(
        fc.constantFrom(END, END + 40_000_000_000, ...created),
        fc.integer({ min: middle, max: END }),
      )
      let found = 0
      await fc.assert(
        fc.asyncProperty(
          anyFilter,
          from,
          to,
          fc.constantFrom('asc' as const, 'desc' as const),
          fc.constantFrom(Math.ceil(size / 20), Math.ceil(size / 3), size),
          async (filter, createdFrom, createdTo, direction, limit) => {
            const selection = selectionOf({ filter, createdFrom, createdTo })
            const wanted = mine.filter(
              (order) =>
                order.createdAt >= createdFrom &&
                order.createdAt < createdTo &&
                passes(order, filter),
            )
            found += wanted.length
            expect(await stores.callSearch.count(selection)).toBe(wanted.length)
            const listed = await pages(stores, selection, { direction, limit })
            expect(listed).toEqual(inOrder(wanted, direction))
          },
        ),
        { numRuns: runs },
      )
      expect(found).toBeGreaterThan(size / 100)
    })

    test('each field alone restricts to what it names', async () => {
      const filters: Partial<CallFilter>[] = [
        { text: 'ada' },
        { assistantIds: ['asst_1'] },
        { campaignIds: ['camp_2'] },
        { statuses: ['paused', 'errored'] },
        { results: ['none', 'human'] },
        { outcomes: ['none'] },
        { directions: ['inbound'] },
        { phoneNumber: NUMBERS[3] ?? '' },
        { metadata: { a: '1' } },
      ]
      for (const part of filters) {
        const filter = { ...EVERY_CALL, ...part }
        const wanted = mine.filter((order) => passes(order, filter)).length
        expect(wanted).toBeGreaterThan(0)
        expect(wanted).toBeLessThan(mine.length)
        expect(await stores.callSearch.count(selectionOf({ filter }))).toBe(wanted)
      }
    })

    test('the largest filter that a request may hold is answered', async () => {
      const ids = Array.from({ length: 100 }, (_, index) => `asst_${index}`)
      const filter: CallFilter = {
        text: 'x'.repeat(200),
        assistantIds: ids,
        campaignIds: ids,
        statuses: CALL_ORDER_STATUSES,
        results: [...ATTEMPT_RESULTS, 'none'],
        outcomes: [...OUTCOMES, 'none'],
        directions: ['inbound', 'outbound'],
        phoneNumber: NUMBERS[0] ?? '',
        metadata: Object.fromEntries(ids.slice(0, 20).map((id) => [id, 'y'.repeat(450)])),
      }
      expect(await stores.callSearch.count(selectionOf({ filter }))).toBe(0)
    })
  })

  describe('while calls change', () => {
    test.each(['asc', 'desc'] as const)(
      'pages %s repeat and skip nothing while new calls arrive at both ends',
      async (direction) => {
        const stores = await open()
        const middle = (START + END) / 2
        const old = Array.from({ length: 40 }, (_, index) =>
          sampleOrder({ id: `call_b${100 + index}`, createdAt: middle + Math.floor(index / 5) }),
        )
        for (const order of old) await save(stores, order)
        let arrived = 0
        const between = async () => {
          arrived += 1
          await save(stores, sampleOrder({ id: `call_a${arrived}`, createdAt: START + arrived }))
          await save(stores, sampleOrder({ id: `call_c${arrived}`, createdAt: END - arrived }))
        }
        const listed = await pages(stores, selectionOf(), { direction, limit: 7, between })
        expect(listed.filter((id) => id.startsWith('call_b'))).toEqual(inOrder(old, direction))
        expect(new Set(listed).size).toBe(listed.length)
        expect(arrived).toBeGreaterThan(3)
        expect(await stores.callSearch.count(selectionOf())).toBe(40 + 2 * arrived)
      },
    )

    test('a call is found as what it has become', async () => {
      const stores = await open()
      const order = sampleOrder({ createdAt: START, metadata: { a: '1' }, outcome: null })
      await save(stores, order)
      const concluded = next(order, { status: 'completed', outcome: 'interested', metadata: {} })
      await stores.calls.save({ order: { before: order, after: concluded }, effects: [] })
      const countOf = (part: Partial<CallFilter>) =>
        stores.callSearch.count(selectionOf({ filter: { ...EVERY_CALL, ...part } }))
      expect(await countOf({ statuses: ['scheduled'] })).toBe(0)
      expect(await countOf({ outcomes: ['none'] })).toBe(0)
      expect(await countOf({ metadata: { a: '1' } })).toBe(0)
      expect(await countOf({ statuses: ['completed'], outcomes: ['interested'] })).toBe(1)
      const page = { direction: 'desc', limit: 5, after: null } as const
      expect(await stores.callSearch.list(selectionOf(), page)).toEqual([
        {
          id: 'call_1',
          createdAt: START,
          phoneNumber: '+12025550100',
          direction: 'outbound',
          status: 'completed',
          assistantId: 'asst_1',
          campaignId: 'camp_1',
          result: null,
          outcome: 'interested',
          text: 'call_1\n+12025550100',
          metadata: [],
        },
      ])
      expect(await stores.calls.findOrder('call_1')).toEqual(concluded)
    })

    test('an organization without calls, and a time without an inside, hold none', async () => {
      const stores = await open()
      await save(stores, sampleOrder({ createdAt: START }))
      const page = { direction: 'asc', limit: 5, after: null } as const
      for (const empty of [
        selectionOf({ organizationId: 'org_2' }),
        selectionOf({ createdFrom: START, createdTo: START }),
        selectionOf({ createdFrom: END, createdTo: START }),
      ]) {
        expect(await stores.callSearch.count(empty)).toBe(0)
        expect(await stores.callSearch.list(empty, page)).toEqual([])
      }
    })
  })
}
