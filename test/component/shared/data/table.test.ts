import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  attemptIndexKeys,
  callListKey,
  callListPartitions,
  callsOfNumberPartition,
  effectIndexKeys,
  orderIndexKeys,
  timelineBound,
  timelines,
  webhookIndexKeys,
} from '#shared/data/index-keys.ts'
import {
  assistantKeys,
  attemptKeys,
  chunkKey,
  orderKeys,
  organizationKeys,
  ownedKeys,
  pacingKey,
  permitKeys,
  phoneNumberKeys,
  scopeKeys,
  webhookKeys,
  type ItemKey,
  type KeyRange,
} from '#shared/data/table.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { LAST_MOMENT } from '#shared/domain/time.ts'
import {
  NOON,
  sampleAssistant,
  sampleDelivery,
  sampleOrder,
} from '#test/contract/ports/sample-records.ts'

/** What is written to AWS once must be found for ever: a changed line here is a migration. */
test.each<[ItemKey, string, string]>([
  [ownedKeys.record('org_1', 'CONN', 'conn_1'), 'ORG#org_1', 'CONN#conn_1'],
  [ownedKeys.record('org_1', 'WHEP', 'whep_1'), 'ORG#org_1', 'WHEP#whep_1'],
  [ownedKeys.record('org_1', 'SUPP', '+12025550100'), 'ORG#org_1', 'SUPP#+12025550100'],
  [ownedKeys.record('org_1', 'NUM', 'num_1'), 'ORG#org_1', 'NUM#num_1'],
  [phoneNumberKeys.owner('+12025550100'), 'E164#+12025550100', 'META'],
  [phoneNumberKeys.default('org_1'), 'ORG#org_1', 'DEFAULT_NUMBER'],
  [ownedKeys.record('org_1', 'KEY', 'key_1'), 'ORG#org_1', 'KEY#key_1'],
  [orderKeys.head('call_1'), 'CALL#call_1', 'META'],
  [orderKeys.document('call_1'), 'CALL#call_1', 'CFG'],
  [chunkKey(orderKeys.document('call_1'), 0), 'CALL#call_1', 'CFG#000'],
  [orderKeys.effect('call_1', 'out_1'), 'CALL#call_1', 'OUT#out_1'],
  [attemptKeys.head('call_1', 1), 'CALL#call_1', 'ATT#001'],
  [chunkKey(attemptKeys.document('call_1', 1), 2), 'CALL#call_1', 'ATT#001#DOC#002'],
  [attemptKeys.line('call_1', 1, 12), 'CALL#call_1', 'ATT#001#T#00012'],
  [assistantKeys.current('org_1', 'asst_1'), 'ORG#org_1', 'AST#asst_1'],
  [assistantKeys.version('asst_1', 3), 'AST#asst_1', 'V#0000003'],
  [organizationKeys.organization('org_1'), 'ORG#org_1', 'META'],
  [organizationKeys.user('org_1', 'user_1'), 'ORG#org_1', 'USER#user_1'],
  [organizationKeys.apiKey('abc'), 'KEY#abc', 'META'],
  [webhookKeys.head('evt_1'), 'WEBHOOK#evt_1', 'META'],
  [chunkKey(webhookKeys.document('evt_1'), 0), 'WEBHOOK#evt_1', 'BODY#000'],
  [permitKeys.shard('ORG#org_1', 7), 'SEM#ORG#org_1', 'S#007'],
  [pacingKey('main'), 'RATE#TRUNK#main', 'META'],
  [scopeKeys.scope('ORG#org_1'), 'SCOPES', 'ORG#org_1'],
])('%o', (key, pk, sk) => {
  expect(key).toEqual({ pk, sk })
})

test('index keys', () => {
  const at = `00${NOON}`
  expect(orderIndexKeys(sampleOrder())).toEqual({
    gsi1pk: 'ORG#org_1#CALLS#202601#0',
    gsi1sk: `${at}#call_1`,
    gsi2pk: 'ORG#org_1#NUM#+12025550100',
    gsi2sk: `${at}#call_1`,
    gsi3pk: 'RDY#ORG#org_1#0',
    gsi3sk: `${at}#call_1`,
    gsi4pk: 'AST#asst_1#0',
    gsi4sk: 'RUN#call_1',
  })
  expect(attemptIndexKeys({ orderId: 'call_1', number: 2, leaseUntil: NOON })).toEqual({
    gsi3pk: 'LEASE#0',
    gsi3sk: `${at}#call_1#2`,
  })
  const effect = { kind: 'startAttempt', orderId: 'call_1', number: 1 } as const
  expect(effectIndexKeys({ id: 'start-1', orderId: 'call_1', effect, createdAt: NOON })).toEqual({
    gsi3pk: 'OUTBOX#0',
    gsi3sk: `${at}#call_1#start-1`,
  })
  expect(webhookIndexKeys(sampleDelivery())).toEqual({
    gsi3pk: 'WEBHOOK#0',
    gsi3sk: `${at}#evt_1`,
  })
})

test('calls are listed month by month, and by number', () => {
  const time = { createdFrom: Date.UTC(2025, 10, 30, 23), createdTo: Date.UTC(2026, 0, 1) }
  expect(callListPartitions('org_1', time)).toEqual([
    ['ORG#org_1#CALLS#202511#0'],
    ['ORG#org_1#CALLS#202512#0'],
    ['ORG#org_1#CALLS#202601#0'],
  ])
  const order = sampleOrder()
  const { createdAt, organizationId, toPhoneNumber } = order
  const { gsi1pk, gsi1sk, gsi2pk } = orderIndexKeys(order)
  const moment = { createdFrom: createdAt, createdTo: createdAt }
  expect(callListPartitions(organizationId, moment)).toEqual([[gsi1pk]])
  expect(callsOfNumberPartition(organizationId, toPhoneNumber)).toBe(gsi2pk)
  expect(callListKey(order)).toBe(gsi1sk)
  expect(callListKey({ createdAt }) < callListKey(order)).toBe(true)
  expect(callListKey(order) < callListKey({ createdAt: createdAt + 1 })).toBe(true)
})

test('what need not be looked at is on no timeline', () => {
  const gone = { gsi3pk: undefined, gsi3sk: undefined }
  expect(orderIndexKeys(sampleOrder({ dueAt: null }))).toMatchObject(gone)
  expect(attemptIndexKeys({ orderId: 'call_1', number: 2, leaseUntil: null })).toEqual(gone)
  expect(webhookIndexKeys(sampleDelivery({ dueAt: null }))).toEqual(gone)
  expect(webhookIndexKeys(sampleDelivery({ status: 'delivered' }))).toEqual(gone)
})

test('an inbound call is listed under the number that called', () => {
  const order = sampleOrder({ direction: 'inbound', fromPhoneNumber: '+12025550111' })
  expect(orderIndexKeys(order).gsi2pk).toBe('ORG#org_1#NUM#+12025550111')
  expect(orderIndexKeys({ ...order, fromPhoneNumber: null }).gsi2pk).toBeUndefined()
})

const id = fc.stringMatching(/^[0-9A-Za-z_]{1,12}$/)

describe('tenants', () => {
  test('no id reaches from one organization into another', () => {
    fc.assert(
      fc.property(id, id, fc.string(), fc.string(), (mine, theirs, asked, existing) => {
        fc.pre(mine !== theirs)
        const reachable = [
          assistantKeys.current(mine, asked),
          organizationKeys.user(mine, asked),
          organizationKeys.organization(mine),
        ].map(({ pk }) => pk)
        const foreign = [
          assistantKeys.current(theirs, existing),
          organizationKeys.user(theirs, existing),
          organizationKeys.organization(theirs),
        ].map(({ pk }) => pk)
        expect(foreign.some((pk) => reachable.includes(pk))).toBe(false)
        expect(assistantKeys.upTo(mine, asked).pk).not.toBe(assistantKeys.upTo(theirs, null).pk)
      }),
    )
  })

  test('listed calls lie in partitions of their organization alone', () => {
    fc.assert(
      fc.property(id, id, (mine, theirs) => {
        fc.pre(mine !== theirs)
        const [one, other] = [mine, theirs].map((organizationId) =>
          orderIndexKeys(sampleOrder({ organizationId })),
        )
        expect(one?.gsi1pk).not.toBe(other?.gsi1pk)
        expect(one?.gsi2pk).not.toBe(other?.gsi2pk)
      }),
    )
  })

  test('no kind of record can take the place of another', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const partitions = [
          orderKeys.head(text),
          assistantKeys.current(text, ''),
          assistantKeys.version(text, 1),
          organizationKeys.apiKey(text),
          webhookKeys.head(text),
          permitKeys.shard(text, 0),
          pacingKey(text),
          scopeKeys.scope(text),
        ].map(({ pk }) => pk)
        expect(new Set(partitions).size).toBe(partitions.length)
      }),
    )
  })
})

describe('ranges', () => {
  const contains = (range: KeyRange, key: ItemKey) =>
    range.pk === key.pk && range.from <= key.sk && key.sk <= range.to
  const attemptItems = (number: number) => [
    attemptKeys.head('call_1', number),
    chunkKey(attemptKeys.document('call_1', number), 0),
    attemptKeys.line('call_1', number, 99_999),
  ]
  const orderItems = [orderKeys.head('call_1'), chunkKey(orderKeys.document('call_1'), 0)]
  const outbox = orderKeys.effect('call_1', 'start-1')

  test('a call is its order and all attempts, without the outbox', () => {
    const items = [...orderItems, ...[1, 999, 1000].flatMap(attemptItems)]
    expect(items.every((key) => contains(orderKeys.call('call_1'), key))).toBe(true)
    expect(contains(orderKeys.call('call_1'), outbox)).toBe(false)
  })

  test('an order is read without its attempts', () => {
    const range = orderKeys.order('call_1')
    expect(orderItems.every((key) => contains(range, key))).toBe(true)
    expect([outbox, ...attemptItems(1)].some((key) => contains(range, key))).toBe(false)
  })

  test('an attempt is read without any other', () => {
    const number = fc.integer({ min: 1, max: 20_000 })
    fc.assert(
      fc.property(number, number, (one, other) => {
        const range = attemptKeys.attempt('call_1', one)
        const expected = one === other
        expect(attemptItems(other).every((key) => contains(range, key) === expected)).toBe(true)
      }),
    )
  })
})

test('timelines sort by time, and a bound lies before everything at its moment', () => {
  const moment = fc.integer({ min: 0, max: LAST_MOMENT })
  fc.assert(
    fc.property(moment, moment, id, (at, bound, orderId) => {
      const keys = attemptIndexKeys({ orderId, number: 1, leaseUntil: at })
      expect(String(keys.gsi3sk) < timelineBound(bound)).toBe(at < bound)
    }),
  )
})

test('scopes have a timeline each', () => {
  expect(timelines.waiting('ORG#1')).not.toBe(timelines.waiting('CMP#1'))
})

test('an order stands with its assistant by kind until it begins, and until it is final', () => {
  const use = (changes: Partial<CallOrder>) => {
    const { gsi4pk, gsi4sk } = orderIndexKeys(sampleOrder(changes))
    return [gsi4pk, gsi4sk?.replace(/[0-9a-f]{16}/, '<hash>')]
  }
  expect(use({ attemptsMade: 0 })).toEqual(['AST#asst_1#0', 'NEW#0000003#<hash>#call_1'])
  expect(use({ attemptsMade: 1 })).toEqual(['AST#asst_1#0', 'RUN#call_1'])
  expect(use({ status: 'completed' })).toEqual([undefined, undefined])
  const inline = { kind: 'inline', settings: sampleAssistant() } as const
  expect(use({ assistant: inline })).toEqual([undefined, undefined])
})
