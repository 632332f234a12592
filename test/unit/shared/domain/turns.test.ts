import * as fc from 'fast-check'
import { expect, it, test } from 'vitest'

import {
  FIRST_CALLS,
  firstShare,
  mayGo,
  nextTurn,
  shareOf,
  type Share,
  type Turns,
  type Waiter,
} from '#shared/domain/turns.ts'

const NOW = 1_768_392_000_000

const waiter = (scope: string, changes: Partial<Waiter> = {}): Waiter => ({
  scope,
  party: scope,
  since: NOW - 1_000,
  seenAt: NOW - 1_000,
  ...changes,
})
const share = (party: string, changes: Partial<Share> = {}): Share => ({
  party,
  calls: FIRST_CALLS,
  lastAt: NOW - 500,
  ...changes,
})
const nextOf = (turns: Partial<Turns>) =>
  nextTurn({ waiters: [], shares: [], ...turns }, NOW)?.scope

test('where nobody waits, everybody may go', () => {
  expect(nextOf({})).toBeUndefined()
  expect(mayGo({ waiters: [], shares: [share('a')] }, 'a', NOW)).toBe(true)
})

test('of parties that had their first calls, the one served longest ago goes first', () => {
  const waiters = [waiter('a'), waiter('b')]
  const shares = [share('a', { lastAt: NOW - 10 }), share('b', { lastAt: NOW - 20 })]
  expect(nextOf({ waiters, shares })).toBe('b')
  expect(mayGo({ waiters, shares }, 'a', NOW)).toBe(false)
  expect(mayGo({ waiters, shares }, 'b', NOW)).toBe(true)
})

test('who comes new goes first, until it had its first calls', () => {
  const waiters = [waiter('old'), waiter('new')]
  const old = share('old', { lastAt: NOW - 400 })
  const fresh = share('new', { calls: FIRST_CALLS - 1, lastAt: NOW - 1 })
  expect(nextOf({ waiters, shares: [old, fresh] })).toBe('new')
  expect(nextOf({ waiters, shares: [old] })).toBe('new')
  expect(nextOf({ waiters, shares: [old, { ...fresh, calls: FIRST_CALLS }] })).toBe('old')
})

test('within a party the scope goes first that has waited longest', () => {
  const waiters = [
    waiter('late', { party: 'org', since: NOW - 1 }),
    waiter('early', { party: 'org', since: NOW - 9 }),
  ]
  expect(nextOf({ waiters, shares: [share('org')] })).toBe('early')
})

test('who was not seen for a minute waits no more', () => {
  const gone = waiter('gone', { seenAt: NOW - 60_000 })
  expect(nextOf({ waiters: [gone] })).toBeUndefined()
  expect(nextOf({ waiters: [gone, waiter('here')], shares: [share('here')] })).toBe('here')
})

test('who was away for ten minutes comes new', () => {
  const away = share('a', { lastAt: NOW - 600_000 })
  expect(shareOf({ waiters: [], shares: [away] }, 'a', NOW)).toBeNull()
  const back = share('a', { lastAt: NOW - 599_999 })
  expect(shareOf({ waiters: [], shares: [back] }, 'a', NOW)).toEqual(back)
})

test('who has many calls going on does not come new', () => {
  expect(firstShare('a', 0, NOW)).toEqual({ party: 'a', calls: 0, lastAt: NOW })
  expect(firstShare('a', 3, NOW).calls).toBe(30)
  expect(firstShare('a', 900, NOW).calls).toBe(FIRST_CALLS)
})

it('lets exactly one of those who wait go, whoever they are', () => {
  const anyParty = fc.constantFrom('a', 'b', 'c')
  const anyTime = fc.integer({ min: NOW - 700_000, max: NOW })
  const anyWaiter = fc.record({
    scope: fc.constantFrom('1', '2', '3', '4'),
    party: anyParty,
    since: anyTime,
    seenAt: anyTime,
  })
  const anyShare = fc.record({
    party: anyParty,
    calls: fc.integer({ min: 0, max: 2 * FIRST_CALLS }),
    lastAt: anyTime,
  })
  fc.assert(
    fc.property(
      fc.uniqueArray(anyWaiter, { selector: ({ scope }) => scope }),
      fc.uniqueArray(anyShare, { selector: ({ party }) => party }),
      (waiters, shares) => {
        const turns = { waiters, shares }
        const next = nextTurn(turns, NOW)
        const waiting = waiters.filter(({ seenAt }) => seenAt > NOW - 60_000)
        expect(next === null).toBe(waiting.length === 0)
        const parties = [...new Set(waiting.map(({ party }) => party))]
        expect(parties.filter((party) => mayGo(turns, party, NOW))).toEqual(
          next === null ? [] : [next.party],
        )
      },
    ),
  )
})
