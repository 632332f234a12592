import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { readCalleeClips } from '#shared/adapters/stt/callee-clip-audio.ts'
import { encodeMulaw } from '#shared/audio/mulaw.ts'
import { MAX_WORD_BYTES, ToneWordDecoder, toneWords, wordTones } from '#shared/audio/tone-words.ts'
import { carrierFrames, joined, overTheLine, silence } from '#test/support/telephone-line.ts'

/** 40 ms. */
const SYMBOL_BYTES = 320
const SENTENCE = 'Good morning, here is Zoë: 12:30 € tomorrow?'

const say = (words: readonly string[]): Uint8Array =>
  joined(words.map((word) => encodeMulaw(wordTones(word))))

function hear(audio: Uint8Array): { text: string; startMs: number; endMs: number }[] {
  const decoder = new ToneWordDecoder()
  return carrierFrames(audio).flatMap((frame) => decoder.push(frame))
}

const textOf = (audio: Uint8Array): string =>
  hear(audio)
    .map(({ text }) => text)
    .join(' ')

const anyWord = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }).filter((word) => {
  const bytes = Buffer.from(word)
  return bytes.length <= MAX_WORD_BYTES && bytes.toString() === word && !word.startsWith('\ufeff')
})

describe('tone words', () => {
  it('are heard exactly, whatever they are and however frames fall', () => {
    const words = fc.array(anyWord, { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(words, fc.nat({ max: 2_000 }), (words, before) => {
        const heard = hear(overTheLine(say(words), { before, after: 400 }))
        expect(heard.map(({ text }) => text)).toEqual(words)
        expect(heard[0]!.startMs).toBeCloseTo(before / 8, 0)
      }),
      { numRuns: 60 },
    )
  })

  it('end exactly where they are heard to end', () => {
    const words = toneWords(SENTENCE)
    let end = 333
    const ends = words.map((word) => (end += wordTones(word).length) / 8)
    const heard = hear(overTheLine(say(words), { before: 333 }))
    expect(heard.map(({ endMs }) => endMs)).toEqual(ends)
  })

  it.each([20, 10])('are heard exactly with noise %i dB below them', (noiseDb) => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const heard = overTheLine(say(toneWords(SENTENCE)), { noiseDb, seed, before: 777 * seed })
      expect(textOf(heard)).toBe(SENTENCE)
    }
  })

  it.each([0.1, 3])('are heard at %d times their level', (gain) => {
    expect(textOf(overTheLine(say(['still', 'here']), { gain }))).toBe('still here')
  })

  it('are heard as soon as they end', () => {
    const decoder = new ToneWordDecoder()
    const frames = carrierFrames(say(['one', 'two']))
    const heardAt = frames.flatMap((frame, index) => decoder.push(frame).map(() => index))
    expect(heardAt).toEqual([carrierFrames(say(['one'])).length - 1, frames.length - 1])
  })

  it('are heard only when heard to their end', () => {
    const audio = say(['Good', 'morning,', 'everybody'])
    fc.assert(
      fc.property(fc.nat({ max: audio.length / SYMBOL_BYTES }), (symbols) => {
        const cut = symbols * SYMBOL_BYTES
        const whole = ['Good', 'morning,', 'everybody'].filter(
          (_, i, words) => say(words.slice(0, i + 1)).length <= cut,
        )
        expect(textOf(joined([audio.subarray(0, cut), silence(500)]))).toBe(whole.join(' '))
      }),
      { numRuns: 40 },
    )
  })

  it('are heard after one that was cut off, with no pause in between', () => {
    const cut = say(['interrupted']).subarray(0, 2_000)
    expect(textOf(joined([cut, say(['again', 'now']), silence(20)]))).toBe('again now')
  })

  it('are heard by a listener who comes in the middle of a word', () => {
    const late = joined([say(['Zebra', 'crossing']).subarray(900), silence(20)])
    expect(textOf(late)).toBe('crossing')
  })

  it('are not heard in speech', () => {
    expect(hear(joined([...readCalleeClips().values()]))).toEqual([])
  })

  it('are at most so long', () => {
    expect(() => wordTones('x'.repeat(MAX_WORD_BYTES + 1))).toThrow(RangeError)
    expect(() => wordTones('')).toThrow(RangeError)
  })
})

describe('toneWords', () => {
  it.each([
    ['  two  words\n', ['two', 'words']],
    ['', []],
    ['y'.repeat(70), ['y'.repeat(64), 'y'.repeat(6)]],
    ['€'.repeat(22), ['€'.repeat(21), '€']],
  ])('cuts %j', (text, words) => {
    expect(toneWords(text)).toEqual(words)
  })
})
