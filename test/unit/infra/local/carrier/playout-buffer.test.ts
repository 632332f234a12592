import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { PlayoutBuffer } from '#infra/local/carrier/playout-buffer.ts'

const bytes = (length: number, value = 1) => new Uint8Array(length).fill(value)

describe('PlayoutBuffer', () => {
  it('plays silence when nothing was written', () => {
    expect(new PlayoutBuffer().play()).toEqual({ frame: bytes(160, 0xff), marks: [] })
  })

  it('gives a mark back with the frame that plays the last byte before it', () => {
    const buffer = new PlayoutBuffer()
    buffer.write(bytes(200))
    buffer.mark('a')
    buffer.write(bytes(120))
    buffer.mark('b')
    expect(buffer.play().marks).toEqual([])
    expect(buffer.play().marks).toEqual(['a', 'b'])
    expect(buffer.play().marks).toEqual([])
  })

  it('gives a mark that nothing stands before back at once', () => {
    const buffer = new PlayoutBuffer()
    buffer.mark('a')
    expect(buffer.play().marks).toEqual(['a'])
  })

  it('clears what has not played and gives the waiting marks back', () => {
    const buffer = new PlayoutBuffer()
    buffer.write(bytes(480))
    buffer.mark('a')
    buffer.play()
    expect(buffer.clear()).toEqual(['a'])
    expect(buffer.play()).toEqual({ frame: bytes(160, 0xff), marks: [] })
    buffer.write(bytes(160, 2))
    buffer.mark('b')
    expect(buffer.play()).toEqual({ frame: bytes(160, 2), marks: ['b'] })
  })

  it('holds five minutes and refuses more', () => {
    const buffer = new PlayoutBuffer()
    expect(buffer.write(bytes(2_400_000))).toBe(true)
    expect(buffer.write(bytes(1))).toBe(false)
    buffer.play()
    expect(buffer.write(bytes(160))).toBe(true)
  })

  it('plays every byte once and in order, however it was cut', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 500 }), { maxLength: 20 }), (chunks) => {
        const buffer = new PlayoutBuffer()
        for (const chunk of chunks) buffer.write(chunk)
        const sent = chunks.flatMap((chunk) => [...chunk])
        const frames = Math.ceil(sent.length / 160)
        const played = Array.from({ length: frames }, () => [...buffer.play().frame]).flat()
        expect(played.slice(0, sent.length)).toEqual(sent)
        expect(played.slice(sent.length).every((byte) => byte === 0xff)).toBe(true)
      }),
    )
  })
})
