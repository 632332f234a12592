import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { FRAME_BYTES, Reframer, SILENT_FRAME, framesOf } from '#shared/audio/frame.ts'

describe('Reframer', () => {
  it('gives the same frames however the audio is cut', () => {
    const cuts = fc.array(fc.uint8Array({ maxLength: 500 }), { maxLength: 12 })
    fc.assert(
      fc.property(cuts, (chunks) => {
        const reframer = new Reframer()
        const frames = chunks.flatMap((chunk) => reframer.push(chunk))
        const last = reframer.flush()
        const all = last === null ? frames : [...frames, last]
        expect(all).toEqual(framesOf(new Uint8Array(Buffer.concat(chunks))))
        expect(all.every((frame) => frame.length === FRAME_BYTES)).toBe(true)
      }),
    )
  })

  it('fills the last frame up with silence, once', () => {
    const reframer = new Reframer()
    expect(reframer.push(Uint8Array.of(1, 2))).toEqual([])
    expect(reframer.flush()).toEqual(Uint8Array.of(1, 2, ...SILENT_FRAME.subarray(2)))
    expect(reframer.flush()).toBeNull()
  })
})

describe('framesOf', () => {
  it('makes no frame of nothing', () => {
    expect(framesOf(new Uint8Array(0))).toEqual([])
  })
})
