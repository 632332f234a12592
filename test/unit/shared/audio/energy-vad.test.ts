import { describe, expect, it } from 'vitest'

import { readCalleeClips } from '#shared/adapters/stt/callee-clip-audio.ts'
import { EnergyVad } from '#shared/audio/energy-vad.ts'
import { decodeMulaw } from '#shared/audio/mulaw.ts'
import { carrierFrames, overTheLine, silence } from '#test/support/telephone-line.ts'

const speech = readCalleeClips().get('tuesday_morning')!
const listen = (audio: Uint8Array): number[] => {
  const vad = new EnergyVad()
  return carrierFrames(audio).map((frame) => vad.push(decodeMulaw(frame)))
}
const heardIn = (probabilities: readonly number[]): number =>
  probabilities.filter((probability) => probability > 0.5).length / probabilities.length

describe('EnergyVad', () => {
  it.each([
    ['a quiet line', {}],
    ['noise 25 dB below', { noiseDb: 25 }],
    ['a low voice', { gain: 0.2 }],
  ])('tells speech from silence over %s', (_, options) => {
    const probabilities = listen(overTheLine(speech, { ...options, before: 8_000, after: 8_000 }))
    const speechFrames = speech.length / 160
    expect(heardIn(probabilities.slice(5, 50))).toBeLessThan(0.05)
    expect(heardIn(probabilities.slice(50, 50 + speechFrames))).toBeGreaterThan(0.6)
    expect(heardIn(probabilities.slice(55 + speechFrames))).toBeLessThan(0.1)
  })

  it('gets used to steady noise', () => {
    const noise = overTheLine(silence(20), { before: 0, after: 0 })
    expect(heardIn(listen(noise))).toBe(0)
    const hiss = overTheLine(speech, { noiseDb: 0, before: 40_000, after: 0 }).subarray(0, 40_000)
    expect(heardIn(listen(hiss))).toBeLessThan(0.05)
  })
})
