import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { readCalleeClips } from '#shared/adapters/stt/callee-clip-audio.ts'
import { encodeMulaw } from '#shared/audio/mulaw.ts'
import { wordTones } from '#shared/audio/tone-words.ts'
import { tonePcm } from '#shared/audio/tone.ts'
import type { LineOptions } from '#test/support/telephone-line.ts'
import { carrierFrames, overTheLine } from '#test/support/telephone-line.ts'
import { DtmfDetector, dtmfTones } from '#voice/media/dtmf.ts'

function listen(sound: Uint8Array, options: LineOptions = {}): string {
  const detector = new DtmfDetector()
  const frames = carrierFrames(overTheLine(sound, options))
  return frames.map((frame) => detector.push(frame) ?? '').join('')
}

describe('keypad tones', () => {
  it('are heard as they were pressed, repeated keys too', () => {
    const keys = fc.stringMatching(/^[0-9*#A-D]{1,8}$/)
    fc.assert(
      fc.property(keys, fc.nat({ max: 400 }), (keys, before) => {
        expect(listen(dtmfTones(keys), { before })).toBe(keys)
      }),
      { numRuns: 50 },
    )
  })

  it.each([{ noiseDb: 10 }, { gain: 0.15 }, { gain: 2 }])('are heard over %j', (options) => {
    expect(listen(dtmfTones('0123456789*#ABCD'), options)).toBe('0123456789*#ABCD')
  })

  it('are not heard in speech', () => {
    for (const [id, clip] of readCalleeClips())
      expect({ id, heard: listen(clip) }).toEqual({ id, heard: '' })
  })

  it.each<[string, Uint8Array]>([
    ['one tone alone', encodeMulaw(tonePcm({ hz: [770], ms: 300, amplitude: 8_000 }))],
    ['US ringback', encodeMulaw(tonePcm({ hz: [440, 480], ms: 500, amplitude: 4_000 }))],
    ['tone words', encodeMulaw(wordTones('anything'))],
    ['20 ms of a key', dtmfTones('5').subarray(0, 160)],
  ])('are not heard in %s', (_, sound) => {
    expect(listen(sound)).toBe('')
  })

  it('are those of a telephone', () => {
    expect(() => dtmfTones('1x')).toThrow(RangeError)
    expect(dtmfTones('')).toHaveLength(0)
  })
})
