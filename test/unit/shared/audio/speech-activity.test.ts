import { describe, expect, it } from 'vitest'

import { readCalleeClips } from '#shared/adapters/stt/callee-clip-audio.ts'
import { BandEnvelope } from '#shared/audio/band-envelope.ts'
import { SpeechActivity } from '#shared/audio/speech-activity.ts'
import type { LineOptions } from '#test/support/telephone-line.ts'
import { carrierFrames, overTheLine } from '#test/support/telephone-line.ts'

const speech = readCalleeClips().get('tuesday_morning')!
const listen = (options: LineOptions): boolean[] => {
  const envelope = new BandEnvelope()
  const activity = new SpeechActivity()
  const frames = carrierFrames(overTheLine(speech, { before: 8_000, after: 8_000, ...options }))
  return frames.map((frame) => activity.push(envelope.push(frame)))
}
const share = (heard: readonly boolean[]): number => heard.filter(Boolean).length / heard.length

describe('SpeechActivity', () => {
  it.each([{}, { noiseDb: 20 }, { noiseDb: 10 }, { gain: 0.1 }])(
    'hears speech over %j',
    (options) => {
      const heard = listen(options)
      const end = 50 + speech.length / 160
      expect(share(heard.slice(0, 50))).toBeLessThan(0.05)
      expect(share(heard.slice(50, end))).toBeGreaterThan(0.7)
      expect(share(heard.slice(end + 3))).toBeLessThan(0.1)
    },
  )

  it('hears a voice that begins with the line', () => {
    expect(share(listen({ before: 0 }).slice(4, speech.length / 160))).toBeGreaterThan(0.8)
  })
})
