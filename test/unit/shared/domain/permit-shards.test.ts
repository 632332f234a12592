import * as fc from 'fast-check'
import { expect, it, test } from 'vitest'

import { shardCap, shardCount, shardOrder } from '#shared/domain/permit-shards.ts'

test.each([
  [0, []],
  [1, [1]],
  [50, [50]],
  [51, [50, 1]],
  [120, [50, 50, 20]],
  [1000, Array.from({ length: 20 }, () => 50)],
])('a cap of %i is spread as %j', (cap, caps) => {
  expect(shardCount(cap)).toBe(caps.length)
  expect(caps.map((_, shard) => shardCap(cap, shard))).toEqual(caps)
  expect(shardCap(cap, caps.length)).toBe(0)
})

it('spreads every cap without remainder, and shows every shard once to every holder', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5000 }), fc.string(), (cap, holder) => {
      const order = shardOrder(cap, holder)
      expect(order.map((shard) => shardCap(cap, shard)).reduce((sum, one) => sum + one, 0)).toBe(
        cap,
      )
      expect(order.toSorted((one, other) => one - other)).toEqual([...order.keys()])
      expect(shardOrder(cap, holder)).toEqual(order)
    }),
  )
})

it('lets holders start at different shards', () => {
  const starts = Array.from({ length: 2000 }, (_, index) => shardOrder(1000, `att_${index}`)[0])
  const counts = Map.groupBy(starts, (shard) => shard)
  expect(counts.size).toBe(20)
  for (const holders of counts.values()) expect(holders.length).toBeGreaterThan(50)
})
