import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { MULAW_SILENCE } from '#shared/audio/mulaw.ts'
import type { WavAudio } from '#shared/audio/wav.ts'
import { parseWav, wavChannels, writeWav } from '#shared/audio/wav.ts'

const anyWav: fc.Arbitrary<WavAudio> = fc.record({
  encoding: fc.constantFrom('pcm16', 'mulaw'),
  sampleRateHz: fc.constantFrom(8_000, 22_050),
  channels: fc.constantFrom(1, 2),
  data: fc.uint8Array({ maxLength: 65 }),
})

const PCM = writeWav({
  encoding: 'pcm16',
  sampleRateHz: 8_000,
  channels: 2,
  data: Uint8Array.of(1, 0, 0xff, 0xff, 2, 0, 0xfe, 0xff),
})

describe('WAVE files', () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(anyWav, (wav) => {
        expect(parseWav(writeWav(wav))).toEqual(wav)
      }),
    )
  })

  it('have the header that players expect', () => {
    const view = new DataView(PCM.buffer)
    expect(Buffer.from(PCM.subarray(0, 4)).toString()).toBe('RIFF')
    expect(view.getUint32(4, true)).toBe(PCM.length - 8)
    expect(view.getUint32(28, true)).toBe(32_000)
    expect(view.getUint16(32, true)).toBe(4)
    expect(view.getUint32(40, true)).toBe(8)
  })

  it('give their channels, left first', () => {
    expect(wavChannels(parseWav(PCM))).toEqual([Int16Array.of(1, 2), Int16Array.of(-1, -2)])
    const data = Uint8Array.of(MULAW_SILENCE, 0x80)
    const mulaw = writeWav({ encoding: 'mulaw', sampleRateHz: 8_000, channels: 2, data })
    expect(wavChannels(parseWav(mulaw))).toEqual([Int16Array.of(0), Int16Array.of(32_124)])
  })

  it('may be streamed, their length unknown when the header was written', () => {
    const streamed = PCM.slice()
    new DataView(streamed.buffer).setUint32(40, 0x7fff_f000, true)
    expect(parseWav(streamed).data).toHaveLength(8)
  })

  it('may hold chunks that nobody knows', () => {
    const list = Uint8Array.from([...Buffer.from('LIST'), 3, 0, 0, 0, 7, 7, 7, 0])
    const file = Uint8Array.from([...PCM.subarray(0, 12), ...list, ...PCM.subarray(12)])
    expect(parseWav(file)).toEqual(parseWav(PCM))
  })

  it.each([
    ['something else', new Uint8Array(60)],
    ['no data', PCM.subarray(0, 36)],
    ['data without a format', Uint8Array.from([...PCM.subarray(0, 12), ...PCM.subarray(36)])],
    ['24 bits', PCM.with(34, 24)],
    ['three channels', PCM.with(22, 3)],
  ])('are refused: %s', (_, file) => {
    expect(() => parseWav(file)).toThrow(RangeError)
  })
})
