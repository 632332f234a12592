import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { readCalleeClips } from '#shared/adapters/stt/callee-clip-audio.ts'
import type { RecognisedSpeech } from '#shared/audio/clip-recogniser.ts'
import { ClipRecogniser } from '#shared/audio/clip-recogniser.ts'
import { clipTemplates } from '#shared/audio/clip-templates.ts'
import type { CalleeClipId } from '#shared/audio/clips/callee-clips.ts'
import { CALLEE_CLIPS } from '#shared/audio/clips/callee-clips.ts'
import { encodeMulaw } from '#shared/audio/mulaw.ts'
import { wordTones } from '#shared/audio/tone-words.ts'
import { voicemailBeep } from '#shared/audio/tone.ts'
import type { LineOptions } from '#test/support/telephone-line.ts'
import { carrierFrames, joined, overTheLine, silence } from '#test/support/telephone-line.ts'

const audio = readCalleeClips()
const ids = [...audio.keys()]
const textOf = (id: CalleeClipId): string => CALLEE_CLIPS[id].text
const libraryOf = (ids: readonly CalleeClipId[]) =>
  clipTemplates(ids.map((id) => ({ text: textOf(id), audio: audio.get(id)! })))
const templates = libraryOf(ids)

type Heard = RecognisedSpeech & { readonly atMs: number }

function hear(sound: Uint8Array, options: LineOptions = {}, known = templates): Heard[] {
  const recogniser = new ClipRecogniser({ templates: known, endOfTurnMs: 300 })
  return carrierFrames(overTheLine(sound, options)).flatMap((frame, index) =>
    recogniser.push(frame).map((event) => ({ ...event, atMs: (index + 1) * 20 })),
  )
}

const finals = (heard: readonly Heard[]) => heard.filter((event) => event.type === 'final')
const finalTexts = (heard: readonly Heard[]): string[] => finals(heard).map(({ text }) => text)
const interims = (heard: readonly Heard[]): string[] =>
  heard.filter((event) => event.type === 'interim').map(({ text }) => text)

describe.each<[string, LineOptions]>([
  ['a clear line', { before: 1_234 }],
  ['a line that begins with the voice', { before: 0 }],
  ['noise 10 dB below', { noiseDb: 10, before: 4_321 }],
  ['other noise 10 dB below', { noiseDb: 10, seed: 99, before: 900 }],
  ['a faint line', { gain: 0.1 }],
  ['a loud line', { gain: 2 }],
])('over %s', (_, options) => {
  it.each(ids)('%s is recognised', (id) => {
    const heard = hear(audio.get(id)!, options)
    expect(finalTexts(heard)).toEqual([textOf(id)])
    const [final] = finals(heard)
    const startMs = (options.before ?? 4_000) / 8
    expect(Math.abs(final!.startMs - startMs)).toBeLessThanOrEqual(20)
    expect(final!.endMs - final!.startMs).toBe(audio.get(id)!.length / 8)
    expect(heard.at(-1)!.type).toBe('endOfTurn')
  })
})

describe('ClipRecogniser', () => {
  it.each(ids)('lets the text of %s grow word by word', (id) => {
    for (const text of interims(hear(audio.get(id)!))) {
      const bare = text.replace(/[,.?]$/, '')
      expect(textOf(id).startsWith(bare)).toBe(true)
    }
  })

  it('has interim texts long before the end of a long clip', () => {
    expect(interims(hear(audio.get('voicemail_greeting')!)).length).toBeGreaterThan(10)
  })

  it('ends the turn 300 ms after the speech, and the text before it', () => {
    const heard = hear(audio.get('tuesday_morning')!)
    const [final] = finals(heard)
    const end = heard.at(-1)!
    expect(end).toMatchObject({ type: 'endOfTurn' })
    expect(end.atMs - final!.endMs).toBeGreaterThanOrEqual(300)
    expect(end.atMs - final!.endMs).toBeLessThanOrEqual(320)
    expect(final!.atMs - final!.endMs).toBeLessThanOrEqual(280)
  })

  it.each([200, 260, 400])('keeps clips apart that have %i ms between them', (pauseMs) => {
    const said = ['yes_speaking', 'okay', 'hello', 'mm_hm', 'no_thats_all', 'goodbye'] as const
    const sound = joined(said.flatMap((id) => [audio.get(id)!, silence(pauseMs)]))
    const heard = hear(sound, { noiseDb: 25 })
    expect(finalTexts(heard)).toEqual(said.map(textOf))
    const turns = heard.filter((event) => event.type === 'endOfTurn')
    expect(turns).toHaveLength(pauseMs > 300 ? said.length : 1)
  })

  it.each(ids)('gives of %s only what was heard, when it is cut off', (id) => {
    fc.assert(
      fc.property(fc.double({ min: 0.5, max: 0.6, noNaN: true }), (part) => {
        const sound = audio.get(id)!
        const heard = finalTexts(hear(sound.subarray(0, Math.round(sound.length * part))))
        expect(heard.length).toBeLessThanOrEqual(1)
        const bare = (heard[0] ?? '').replace(/[,.?]$/, '')
        expect(textOf(id).startsWith(bare)).toBe(true)
        expect(bare.length).toBeLessThan(textOf(id).length - 1)
      }),
      { numRuns: 3 },
    )
  })

  it('gives the words of a long clip that was cut off', () => {
    const sound = audio.get('call_me_later')!
    expect(finalTexts(hear(sound.subarray(0, sound.length * 0.6)))).toEqual([
      "I'm busy right now, could you",
    ])
  })

  it('does not understand what it does not know', () => {
    const known = libraryOf(ids.filter((id) => CALLEE_CLIPS[id].persona === 'person'))
    for (const id of ids.filter((id) => CALLEE_CLIPS[id].persona !== 'person')) {
      const texts = finalTexts(hear(audio.get(id)!, {}, known))
      expect({ id, texts }).toEqual({ id, texts: [] })
    }
  })

  it.each([
    ['silence', silence(2_000), {}],
    ['noise', silence(20), { before: 0, after: 16_000 }],
    ['a beep', voicemailBeep(), {}],
    ['tone words', encodeMulaw(wordTones('hello')), {}],
  ])('hears nothing in %s', (_, sound, options) => {
    expect(hear(sound, options)).toEqual([])
  })

  it('gives up a sound that never ends, and listens on', () => {
    const hum = encodeMulaw(
      Int16Array.from({ length: 160_000 }, (_, i) => (i % 1_600 < 400 ? 0 : ((i * 37) % 41) * 200)),
    )
    const sound = joined([hum, silence(1_500), audio.get('okay')!])
    expect(finalTexts(hear(sound))).toEqual(['Okay.'])
  })

  it('is asked for what it has before the pause', () => {
    const recogniser = new ClipRecogniser({ templates, endOfTurnMs: 300 })
    for (const frame of carrierFrames(overTheLine(audio.get('two_people')!, { after: 0 }))) {
      recogniser.push(frame)
    }
    expect(recogniser.finalize()).toMatchObject([
      { type: 'final', text: 'There would be two of us.' },
    ])
    expect(recogniser.finalize()).toEqual([])
  })

  it.each<CalleeClipId>(['sounds_good', 'call_me_later', 'tuesday_morning'])(
    'asked at any moment of %s for what it has, loses no word and tells none twice',
    (id) => {
      const frames = carrierFrames(overTheLine(audio.get(id)!))
      for (let at = 0; at < frames.length; at += 5) {
        const recogniser = new ClipRecogniser({ templates, endOfTurnMs: 300 })
        const told = finals(
          frames.flatMap((frame, index) =>
            [...recogniser.push(frame), ...(index === at ? recogniser.finalize() : [])].map(
              (event) => ({ ...event, atMs: index * 20 }),
            ),
          ),
        )
        expect(told.map(({ text }) => text).join(' ')).toBe(textOf(id))
        expect(told[0]!.endMs).toBeLessThanOrEqual(told.at(-1)!.endMs)
      }
    },
  )
})
