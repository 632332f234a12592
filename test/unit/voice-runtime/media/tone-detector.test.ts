import { describe, expect, it } from 'vitest'

import { readCalleeClips } from '#shared/adapters/stt/callee-clip-audio.ts'
import { encodeMulaw } from '#shared/audio/mulaw.ts'
import { tonePcm, voicemailBeep } from '#shared/audio/tone.ts'
import type { LineOptions } from '#test/support/telephone-line.ts'
import { carrierFrames, joined, overTheLine, silence } from '#test/support/telephone-line.ts'
import { dtmfTones } from '#voice/media/dtmf.ts'
import type { ToneChange } from '#voice/media/tone-detector.ts'
import { ToneDetector } from '#voice/media/tone-detector.ts'

const tone = (hz: number[], ms: number, amplitude = 4_000): Uint8Array =>
  encodeMulaw(tonePcm({ hz, ms, amplitude }))

function listen(sound: Uint8Array, options: LineOptions = {}): (ToneChange & { atMs: number })[] {
  const detector = new ToneDetector()
  return carrierFrames(overTheLine(sound, options)).flatMap((frame, index) => {
    const change = detector.push(frame)
    return change === null ? [] : [{ ...change, atMs: (index + 1) * 20 }]
  })
}

describe('ToneDetector', () => {
  it.each([
    [440, 200],
    [1_000, 400],
    [1_400, 1_000],
    [2_100, 300],
  ])('hears a beep of %i Hz and %i ms, its begin and its end', (hz, ms) => {
    for (const options of [{}, { noiseDb: 10 }, { gain: 0.3, before: 4_077 }]) {
      const changes = listen(tone([hz], ms), options)
      expect(changes.map(({ type }) => type)).toEqual(['toneStarted', 'toneEnded'])
      for (const change of changes) expect(Math.abs(change.hz - hz)).toBeLessThan(12)
      const [start, end] = changes
      const beginMs = (options.before ?? 4_000) / 8
      expect(start!.atMs - beginMs).toBeLessThanOrEqual(180)
      expect(end!.atMs - beginMs - ms).toBeLessThanOrEqual(100)
      expect(Math.abs((end as { durationMs: number }).durationMs - ms)).toBeLessThanOrEqual(60)
    }
  })

  it('hears the beep after a greeting', () => {
    const greeting = readCalleeClips().get('voicemail_greeting')!
    const changes = listen(joined([greeting, silence(300), voicemailBeep()]))
    expect(changes.map(({ type }) => type)).toEqual(['toneStarted', 'toneEnded'])
  })

  it.each<[string, Uint8Array]>([
    ['US ringback', tone([440, 480], 2_000, 3_000)],
    ['keypad tones', dtmfTones('159D*')],
    ['US dial tone', tone([350, 440], 1_000, 3_000)],
    ['a beep of 60 ms', tone([1_000], 60)],
    ['a tone far too faint', tone([1_000], 500, 60)],
    ['hum', tone([120], 1_000)],
    ['silence', silence(500)],
  ])('ignores %s', (_, sound) => {
    expect(listen(sound)).toEqual([])
  })

  it('ignores speech', () => {
    for (const [id, clip] of readCalleeClips())
      expect({ id, heard: listen(clip) }).toEqual({ id, heard: [] })
  })
})
