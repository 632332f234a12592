import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { MULAW_SILENCE } from '#shared/audio/mulaw.ts'
import { BLOCK_SAMPLES, SoundTrack } from '#voice/media/sound-track.ts'
import type { TrackPiece } from '#voice/media/sound-track.ts'

const LENGTH = 5 * BLOCK_SAMPLES

/** What somebody reads who wrote all pieces into a file of zeros: mu-law again. */
class Played {
  readonly #file = new Uint8Array(LENGTH)

  write(pieces: readonly TrackPiece[]): void {
    for (const { block, offset, bytes } of pieces) {
      expect(offset + bytes.length).toBeLessThanOrEqual(BLOCK_SAMPLES)
      this.#file.set(bytes, block * BLOCK_SAMPLES + offset)
    }
  }

  get mulaw(): Uint8Array {
    return this.#file.map((byte) => ~byte)
  }
}

const sound = (code: number, samples = 160) => new Uint8Array(samples).fill(code)

describe('a sound track', () => {
  it('reads as it was written, with silence between, whatever the order', () => {
    const writes = fc.array(
      fc.record({
        at: fc.nat({ max: LENGTH - 1_000 }),
        samples: fc.integer({ min: 1, max: 1_000 }),
        code: fc.integer({ min: 0, max: 255 }),
        isCut: fc.boolean(),
      }),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(writes, fc.nat({ max: 2 * BLOCK_SAMPLES }), (writes, keptSamples) => {
        const track = new SoundTrack({ keptSamples })
        const played = new Played()
        const expected = new Uint8Array(LENGTH).fill(MULAW_SILENCE)
        for (const { at, samples, code, isCut } of writes) {
          if (isCut) {
            expected.fill(MULAW_SILENCE, at)
            played.write(track.cut(at))
          } else {
            expected.fill(code, at, at + samples)
            played.write(track.write(at, sound(code, samples)))
          }
        }
        played.write(track.rest())
        expect(Buffer.compare(played.mulaw, expected)).toBe(0)
      }),
      { numRuns: 50 },
    )
  })

  it('keeps no more than what may still be cut, and the block it is in', () => {
    const track = new SoundTrack({ keptSamples: 100 })
    expect(track.write(0, sound(1, BLOCK_SAMPLES + 99))).toEqual([])
    const pieces = track.write(BLOCK_SAMPLES + 99, sound(1, 1))
    expect(pieces.map(({ block, bytes }) => [block, bytes.length])).toEqual([[0, BLOCK_SAMPLES]])
    expect(track.rest().map(({ block }) => block)).toEqual([1])
  })

  it('is as long as what was written and not cut', () => {
    const track = new SoundTrack({ keptSamples: 0 })
    track.write(100, sound(1))
    expect(track.length).toBe(260)
    track.cut(150)
    expect(track.length).toBe(150)
    track.cut(200)
    expect(track.length).toBe(150)
  })

  it('writes nothing for silence', () => {
    const track = new SoundTrack({ keptSamples: 0 })
    expect(track.write(4 * BLOCK_SAMPLES, sound(1))).toEqual([])
    expect(track.rest().map(({ block }) => block)).toEqual([4])
  })
})
