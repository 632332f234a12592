import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { countLive, planTake, type Leases, type Take } from '#shared/data/lease-map.ts'

const NOW = 1000
const wish = { holder: 'me', cap: 2, now: NOW, chance: 0 }

test.each<[string, Leases | undefined, Take['kind']]>([
  ['never used', undefined, 'create'],
  ['empty', {}, 'add'],
  ['one place left', { a: NOW + 1 }, 'add'],
  ['mine already, and full', { a: NOW + 1, me: NOW + 1 }, 'add'],
  ['full of live ones', { a: NOW + 1, b: NOW + 1 }, 'full'],
  ['one of them dead', { a: NOW + 1, b: NOW }, 'replace'],
  ['over a lowered cap', { a: NOW + 1, b: NOW + 1, c: NOW, d: NOW }, 'full'],
  ['over a lowered cap, mostly dead', { a: NOW + 1, b: NOW, c: NOW, d: NOW }, 'replace'],
])('%s', (_, leases, kind) => {
  expect(planTake(leases, wish).kind).toBe(kind)
})

test('whatever the shard holds: the cap holds after a take, and no live lease is lost', () => {
  const leases = fc.dictionary(
    fc.stringMatching(/^[a-z]{1,3}$/),
    fc.integer({ min: NOW - 5, max: NOW + 5 }),
    { maxKeys: 12 },
  )
  fc.assert(
    fc.property(
      leases,
      fc.integer({ min: 1, max: 12 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (before, cap, chance) => {
        const take = planTake(before, { holder: 'NEW', cap, now: NOW, chance })
        const live = countLive(before, NOW)
        if (take.kind === 'full') {
          expect(live).toBeGreaterThanOrEqual(cap)
          return
        }
        const dead = take.kind === 'replace' ? take.dead.map(([name]) => name) : []
        const kept = Object.entries(before).filter(([name]) => !dead.includes(name))
        expect(kept.length + 1).toBeLessThanOrEqual(cap)
        expect(countLive(Object.fromEntries(kept), NOW)).toBe(live)
        expect(new Set(dead).size).toBe(dead.length)
      },
    ),
  )
})
