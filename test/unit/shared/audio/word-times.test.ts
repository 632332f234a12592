import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { estimateWordTimes } from '#shared/audio/word-times.ts'

describe('estimateWordTimes', () => {
  it('gives longer words and words before a pause more time', () => {
    expect(estimateWordTimes('Yes, go ahead.', 1_900)).toEqual([
      { text: 'Yes,', endMs: 700 },
      { text: 'go', endMs: 1_000 },
      { text: 'ahead.', endMs: 1_900 },
    ])
  })

  it('names every word once, in order, and ends with the audio', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,9}[,.]?$/), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(words, fc.nat({ max: 60_000 }), (words, durationMs) => {
        const times = estimateWordTimes(` ${words.join('  ')}\n`, durationMs)
        expect(times.map(({ text }) => text)).toEqual(words)
        expect(times.map(({ endMs }) => endMs)).toEqual(
          times.map(({ endMs }) => endMs).sort((a, b) => a - b),
        )
        expect(times.at(-1)!.endMs).toBe(durationMs)
      }),
    )
  })

  it('has nothing to say of nothing', () => {
    expect(estimateWordTimes(' ', 100)).toEqual([])
  })
})
