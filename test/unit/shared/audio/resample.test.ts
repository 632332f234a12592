import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { Resampler } from '#shared/audio/resample.ts'

const AMPLITUDE = 16_000

function sine(hz: number, rate: number, seconds: number): Int16Array {
  return Int16Array.from({ length: rate * seconds }, (_, i) =>
    Math.round(AMPLITUDE * Math.sin((2 * Math.PI * hz * i) / rate)),
  )
}

/** Fits a sine to the middle of the signal: its level in dB of the original, and what is left beside it. */
function measure(pcm: Int16Array, hz: number, rate: number): { gainDb: number; restDb: number } {
  const middle = pcm.subarray(pcm.length / 4, (pcm.length * 3) / 4)
  let [cosine, sine, power] = [0, 0, 0]
  for (const [i, sample] of middle.entries()) {
    cosine += sample * Math.cos((2 * Math.PI * hz * i) / rate)
    sine += sample * Math.sin((2 * Math.PI * hz * i) / rate)
    power += sample * sample
  }
  const tone = ((cosine * cosine + sine * sine) * 2) / middle.length
  const full = (middle.length * AMPLITUDE ** 2) / 2
  return {
    gainDb: 10 * Math.log10(tone / full),
    restDb: 10 * Math.log10(Math.max(1e-9, power - tone) / full),
  }
}

function resample(pcm: Int16Array, fromHz: number, toHz: number): Int16Array {
  const resampler = new Resampler({ fromHz, toHz })
  return Int16Array.from([...resampler.push(pcm), ...resampler.flush()])
}

const RATES = [
  [8_000, 16_000],
  [16_000, 8_000],
  [8_000, 24_000],
  [24_000, 8_000],
  [24_000, 16_000],
  [22_050, 8_000],
] as const

describe('Resampler', () => {
  it.each(RATES)('keeps a 3 kHz tone from %i to %i Hz', (from, to) => {
    const { gainDb, restDb } = measure(resample(sine(3_000, from, 1), from, to), 3_000, to)
    expect(Math.abs(gainDb)).toBeLessThan(0.1)
    expect(restDb).toBeLessThan(-60)
  })

  it.each(RATES.filter(([from, to]) => from > to))(
    'lets nothing above the new half rate through from %i to %i Hz',
    (from, to) => {
      const tooHigh = Math.min(from * 0.45, to * 0.65)
      const out = resample(sine(tooHigh, from, 1), from, to).subarray(to / 10, -to / 10)
      const power = out.reduce((sum, sample) => sum + sample * sample, 0) / out.length
      expect(10 * Math.log10((power + 1e-3) / (AMPLITUDE ** 2 / 2))).toBeLessThan(-70)
    },
  )

  it.each(RATES)('gives as much audio as went in from %i to %i Hz', (from, to) => {
    const resampler = new Resampler({ fromHz: from, toHz: to })
    expect(Math.abs(resampler.push(new Int16Array(from)).length - to)).toBeLessThanOrEqual(1)
  })

  it('gives the same however the audio is cut', () => {
    const pcm = sine(440, 22_050, 0.2)
    const whole = new Resampler({ fromHz: 22_050, toHz: 8_000 }).push(pcm)
    fc.assert(
      fc.property(fc.array(fc.nat({ max: pcm.length }), { maxLength: 8 }), (cuts) => {
        const resampler = new Resampler({ fromHz: 22_050, toHz: 8_000 })
        const ends = [...cuts.sort((a, b) => a - b), pcm.length]
        const out = ends.flatMap((end, i) => [
          ...resampler.push(pcm.subarray(ends[i - 1] ?? 0, end)),
        ])
        expect(Int16Array.from(out)).toEqual(whole)
      }),
      { numRuns: 30 },
    )
  })

  it('clips instead of wrapping', () => {
    const square = Int16Array.from({ length: 800 }, (_, i) => (i % 100 < 50 ? 32_767 : -32_768))
    const out = resample(square, 8_000, 16_000)
    expect(Math.max(...out)).toBe(32_767)
    expect(Math.min(...out)).toBe(-32_768)
  })
})
