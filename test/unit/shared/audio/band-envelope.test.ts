import { describe, expect, it } from 'vitest'

import { BandEnvelope } from '#shared/audio/band-envelope.ts'
import { SILENT_FRAME, framesOf } from '#shared/audio/frame.ts'
import { encodeMulaw } from '#shared/audio/mulaw.ts'
import { LINE_HZ, Spectrum } from '#shared/audio/spectrum.ts'
import { tonePcm } from '#shared/audio/tone.ts'

const frames = (hz: number, amplitude = 32_000): Uint8Array[] =>
  framesOf(encodeMulaw(tonePcm({ hz: [hz], ms: 100, amplitude })))

describe('Spectrum', () => {
  it.each([500, 1_000, 2_500])('has its peak at %i Hz', (hz) => {
    const spectrum = new Spectrum()
    const lines = frames(hz)
      .slice(0, 3)
      .map((frame) => spectrum.push(frame).slice())
      .at(-1)!
    expect(lines.indexOf(Math.max(...lines))).toBe(Math.round(hz / LINE_HZ))
    const total = lines.reduce((sum, power) => sum + power, 0)
    expect(total).toBeGreaterThan(0.85)
    expect(total).toBeLessThan(1.05)
  })
})

describe('BandEnvelope', () => {
  it.each([
    [300, 0],
    [500, 1],
    [750, 2],
    [1_100, 3],
    [1_500, 4],
    [2_100, 5],
    [2_700, 6],
    [3_300, 7],
  ])('puts %i Hz into band %i', (hz, band) => {
    const envelope = new BandEnvelope()
    const bands = frames(hz)
      .slice(0, 3)
      .map((frame) => envelope.push(frame))
      .at(-1)!
    expect(bands.indexOf(Math.max(...bands))).toBe(band)
    expect(bands[band]).toBeGreaterThan(0.8)
  })

  it('hears nothing in silence', () => {
    expect([...new BandEnvelope().push(SILENT_FRAME)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
  })
})
