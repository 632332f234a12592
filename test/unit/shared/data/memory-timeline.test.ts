import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { MemoryTimeline } from '#shared/data/memory-timeline.ts'

describe('the timeline', () => {
  test('tells what is due, by moment and id, like sorting everything does', () => {
    const change = fc.record({
      id: fc.integer({ min: 0, max: 600 }).map((id) => `id-${id}`),
      at: fc.option(fc.integer({ min: 0, max: 50 })),
    })
    const changes = fc.array(change, { maxLength: 1_500, size: 'max' })
    fc.assert(
      fc.property(changes, fc.integer({ min: 0, max: 50 }), (made, until) => {
        const timeline = new MemoryTimeline<string>()
        const plain = new Map<string, number>()
        for (const { id, at } of made) {
          timeline.set(id, at, id)
          if (at === null) plain.delete(id)
          else plain.set(id, at)
        }
        const sorted = [...plain]
          .filter(([, at]) => at <= until)
          .sort(([oneId, one], [otherId, other]) => one - other || (oneId < otherId ? -1 : 1))
        const due = timeline.earliest(until, 40).map(({ id, at }) => [id, at])
        expect(due).toEqual(sorted.slice(0, 40))
        expect(timeline.earliest(until, Infinity)).toHaveLength(sorted.length)
      }),
      { numRuns: 30 },
    )
  })
})
