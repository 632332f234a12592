import { describe, expect, it } from 'vitest'

import { readCalleeClips } from '#shared/adapters/stt/callee-clip-audio.ts'
import { BandEnvelope } from '#shared/audio/band-envelope.ts'
import { ClipMatcher } from '#shared/audio/clip-matcher.ts'
import { LEAD_FRAMES, clipTemplates, loudnessOf } from '#shared/audio/clip-templates.ts'
import type { LineOptions } from '#test/support/telephone-line.ts'
import { carrierFrames, overTheLine } from '#test/support/telephone-line.ts'

const audio = readCalleeClips()
const ids = ['hello', 'goodbye', 'two_people'] as const
const templates = clipTemplates(ids.map((id) => ({ text: id, audio: audio.get(id)! })))

function match(id: (typeof ids)[number], options: LineOptions) {
  const matcher = new ClipMatcher({ templates, starts: 8, maxRows: 200 })
  const envelope = new BandEnvelope()
  for (const frame of carrierFrames(overTheLine(audio.get(id)!, { after: 0, ...options }))) {
    matcher.push(loudnessOf(envelope.push(frame)))
  }
  return matcher.matches()
}

describe('ClipMatcher', () => {
  it.each(ids)('finds %s where it begins', (id) => {
    const [best, next] = match(id, { before: (LEAD_FRAMES + 3) * 160 + 80 })
    expect(best).toMatchObject({ start: 3, template: { clip: { text: id }, offsetMs: 10 } })
    expect(best!.similarity).toBeGreaterThan(0.99)
    expect(next!.similarity).toBeLessThan(0.7)
  })

  it('does not mind the level, and little the noise', () => {
    expect(match('two_people', { before: 1_000, gain: 0.1 })[0]!.similarity).toBeGreaterThan(0.98)
    expect(match('two_people', { before: 1_000, noiseDb: 10 })[0]!.similarity).toBeGreaterThan(0.85)
  })

  it('names every clip once', () => {
    const texts = match('hello', { before: 800 }).map(({ template }) => template.clip.text)
    expect(texts.sort()).toEqual([...ids].sort())
  })

  it('finds nothing in silence', () => {
    const matcher = new ClipMatcher({ templates, starts: 2, maxRows: 10 })
    for (let row = 0; row < 10; row++) matcher.push(new Float32Array(8))
    expect(matcher.matches().every(({ similarity }) => similarity === 0)).toBe(true)
  })
})
