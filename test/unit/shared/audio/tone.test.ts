import { describe, expect, it } from 'vitest'

import { energyOf, goertzelCoefficient, tonePower } from '#shared/audio/goertzel.ts'
import { decodeMulaw } from '#shared/audio/mulaw.ts'
import { tonePcm, voicemailBeep } from '#shared/audio/tone.ts'

const ALL = { from: 0, to: 800 }

describe('tonePower', () => {
  const pcm = tonePcm({ hz: [1_000], ms: 100, amplitude: 8_000 })

  it.each([
    [1_000, 0.95, 1.01],
    [1_100, 0, 0.01],
    [500, 0, 0.01],
  ])('finds the share of %i Hz', (hz, least, most) => {
    const share = tonePower(pcm, ALL, goertzelCoefficient(hz)) / energyOf(pcm, ALL)
    expect(share).toBeGreaterThanOrEqual(least)
    expect(share).toBeLessThanOrEqual(most)
  })

  it('looks at a part of the samples only', () => {
    const late = Int16Array.from([...new Int16Array(800), ...pcm])
    expect(tonePower(late, ALL, goertzelCoefficient(1_000))).toBe(0)
    expect(energyOf(late, ALL)).toBe(0)
  })
})

describe('tonePcm', () => {
  it('fades in and out', () => {
    const pcm = tonePcm({ hz: [440, 480], ms: 20, amplitude: 8_000 })
    expect(pcm).toHaveLength(160)
    expect(Math.abs(pcm[0]!)).toBe(0)
    expect(Math.abs(pcm.at(-1)!)).toBe(0)
  })
})

describe('voicemailBeep', () => {
  it('is 400 ms of 1 kHz', () => {
    const pcm = decodeMulaw(voicemailBeep())
    expect(pcm).toHaveLength(3_200)
    const range = { from: 0, to: 3_200 }
    const share = tonePower(pcm, range, goertzelCoefficient(1_000)) / energyOf(pcm)
    expect(share).toBeGreaterThan(0.95)
  })
})
