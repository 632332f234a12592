import { describe, expect, it } from 'vitest'

import { decodeMulaw, encodeMulaw, MULAW_SILENCE } from '#shared/audio/mulaw.ts'
import { SoundBed } from '#voice/media/sound-bed.ts'

const PIECE = 160
const silence = new Uint8Array(PIECE).fill(MULAW_SILENCE)
/** A ramp tells which part of the loop is heard. */
const LOOP = Int16Array.from({ length: 1_600 }, (_, i) => 10 * i)

const heard = (bed: SoundBed, atMs: number, voice: Uint8Array = silence) =>
  decodeMulaw(bed.mix(voice, atMs))

/** mu-law keeps about one part in thirty. */
const close = (sample: number) =>
  expect.closeTo(sample, -Math.log10(2 * (Math.abs(sample) / 30 + 8)))

describe('what lies under the voice', () => {
  it('is nothing, and costs nothing, until it is set', () => {
    const bed = new SoundBed()
    expect(bed.isSilent).toBe(true)
    expect(bed.mix(silence, 0)).toBe(silence)
  })

  it('rises within a piece and is looped by the time of the session', () => {
    const bed = new SoundBed()
    bed.set('background', LOOP, 0.5)
    const first = heard(bed, 0)
    expect(first[0]).toBe(0)
    expect(first[80]).toEqual(close(0.25 * LOOP[80]!))
    expect(heard(bed, 20)[0]).toEqual(close(0.5 * LOOP[160]!))
    expect(heard(bed, 200 + 50)[0]).toEqual(close(0.5 * LOOP[400]!))
  })

  it('is added to the voice, layer by layer, without going round at the top', () => {
    const bed = new SoundBed()
    const voice = encodeMulaw(new Int16Array(PIECE).fill(30_000))
    bed.set('background', new Int16Array(PIECE).fill(1_000), 1)
    bed.set('thinking', new Int16Array(PIECE).fill(2_000), 0.5)
    heard(bed, 0)
    expect(heard(bed, 20)[5]).toEqual(close(2_000))
    expect(heard(bed, 40, voice)[5]).toEqual(close(32_000))
    bed.set('thinking', new Int16Array(PIECE).fill(20_000), 1)
    heard(bed, 60)
    expect(heard(bed, 80, voice)[5]).toBeGreaterThan(31_000)
  })

  it('fades within a piece when it ends, and is gone then', () => {
    const bed = new SoundBed()
    bed.set('background', new Int16Array(PIECE).fill(8_000), 1)
    heard(bed, 0)
    bed.set('background', null, 0)
    const last = heard(bed, 20)
    expect(last[0]).toEqual(close(8_000))
    expect(last[80]).toEqual(close(4_000))
    expect(last.at(-1)).toBeLessThan(200)
    expect(bed.isSilent).toBe(true)
    bed.set('thinking', null, 0)
    expect(bed.isSilent).toBe(true)
  })

  it('changes its volume without a jump', () => {
    const bed = new SoundBed()
    const samples = new Int16Array(PIECE).fill(8_000)
    bed.set('background', samples, 1)
    heard(bed, 0)
    bed.set('background', samples, 0.5)
    const changing = heard(bed, 20)
    expect(changing[0]).toEqual(close(8_000))
    expect(changing[80]).toEqual(close(6_000))
    expect(heard(bed, 40)[0]).toEqual(close(4_000))
  })
})
