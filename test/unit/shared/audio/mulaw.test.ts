import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { MULAW_SILENCE, decodeMulaw, encodeMulaw } from '#shared/audio/mulaw.ts'

describe('mu-law', () => {
  it.each([
    [0, 0xff],
    [8, 0xfe],
    [-8, 0x7e],
    [1_000, 0xce],
    [-1_000, 0x4e],
    [32_767, 0x80],
    [-32_768, 0x00],
  ])('encodes %i as G.711 says', (sample, code) => {
    expect([...encodeMulaw(Int16Array.of(sample))]).toEqual([code])
  })

  it('is silent at its silence byte', () => {
    expect([...decodeMulaw(Uint8Array.of(MULAW_SILENCE, 0x7f))]).toEqual([0, 0])
  })

  it('gives every code back', () => {
    const codes = Uint8Array.from({ length: 256 }, (_, code) => code)
    const again = encodeMulaw(decodeMulaw(codes))
    codes[0x7f] = MULAW_SILENCE
    expect(again).toEqual(codes)
  })

  it('is off by no more than half a step', () => {
    fc.assert(
      fc.property(fc.integer({ min: -32_635, max: 32_635 }), (sample) => {
        const heard = decodeMulaw(encodeMulaw(Int16Array.of(sample)))[0]!
        expect(Math.abs(heard - sample)).toBeLessThanOrEqual((Math.abs(sample) + 132) / 32)
      }),
    )
  })
})
