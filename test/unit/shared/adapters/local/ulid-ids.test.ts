import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { ulidIds } from '#shared/adapters/local/ulid-ids.ts'

it('writes the time in the first ten digits, as ULIDs do', () => {
  // The example of the ULID specification: 01ARZ3NDEKTSV4RRFFQ69G5FAV.
  const ids = ulidIds({ clock: { now: () => 1_469_922_850_259 }, random: () => 0 })
  expect(ids.next('call')).toBe('call_01ARZ3NDEK0000000000000000')
  expect(ids.next('att')).toBe('att_01ARZ3NDEK0000000000000001')
})

it('takes its digits from the given chance', () => {
  const ids = ulidIds({ clock: { now: () => 0 }, random: () => 0.999_999 })
  expect(ids.next('row')).toBe('row_0000000000ZZZZZZZZZZZZZZZZ')
  expect(ids.random()).toBe(0.999_999)
})

it('ascends whatever the clock does', () => {
  const times = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 2 })
  const chances = fc.infiniteStream(fc.constantFrom(0, 0.5, 0.999_999))
  fc.assert(
    fc.property(times, chances, (clock, chance) => {
      const moments = [...clock]
      const ids = ulidIds({
        clock: { now: () => moments.shift() ?? 0 },
        random: () => chance.next().value ?? 0,
      })
      const made = clock.map(() => ids.next('call'))
      expect(made).toEqual(made.toSorted())
      expect(new Set(made).size).toBe(made.length)
      for (const id of made) expect(id).toMatch(/^call_[0-9A-HJKMNP-TV-Z]{26}$/)
    }),
  )
})
