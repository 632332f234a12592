import { expect, it, test } from 'vitest'

import { asksForAll, matchesRow, type RowFilter } from '#shared/domain/campaign/row-filter.ts'
import { anOrder, aSummary } from '#test/support/an-order.ts'

const ALL: RowFilter = { query: null, result: null, statuses: null }

const order = anOrder({
  status: 'scheduled',
  toPhoneNumber: '+12025550123',
  promptVariables: { first_name: 'Zoë', company: 'Example Ltd' },
  lastAttempt: aSummary({ result: 'voicemail', dialError: null }),
})

test.each<[Partial<RowFilter>, boolean]>([
  [{}, true],
  [{ query: '5550123' }, true],
  [{ query: 'EXAMPLE l' }, true],
  [{ query: 'first_name' }, false],
  [{ result: 'voicemail' }, true],
  [{ result: 'human' }, false],
  [{ result: 'none' }, false],
  [{ statuses: new Set(['paused', 'scheduled']) }, true],
  [{ statuses: new Set(['paused']) }, false],
  [{ query: 'zoë', result: 'voicemail', statuses: new Set(['scheduled']) }, true],
  [{ query: 'zoë', result: 'human', statuses: new Set(['scheduled']) }, false],
])('%o: %s', (filter, expected) => {
  expect(matchesRow(order, { ...ALL, ...filter })).toBe(expected)
})

it('counts a row without an attempt, or with one that has no result, as none', () => {
  const none: RowFilter = { ...ALL, result: 'none' }
  expect(matchesRow(anOrder(), none)).toBe(true)
  expect(matchesRow(anOrder({ lastAttempt: aSummary({ result: null }) }), none)).toBe(true)
})

it('knows when nothing is filtered', () => {
  expect(asksForAll(ALL)).toBe(true)
  expect(asksForAll({ ...ALL, statuses: new Set() })).toBe(false)
})
