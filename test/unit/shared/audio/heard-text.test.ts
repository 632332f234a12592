import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { heardText } from '#shared/audio/heard-text.ts'

const TEXT = 'Hello, how are you today?'
const WORDS = [
  { text: 'Hello', endMs: 400 },
  { text: 'how', endMs: 700 },
  { text: 'are', endMs: 850 },
  { text: 'you', endMs: 1000 },
  { text: 'today', endMs: 1500 },
]

describe('heardText', () => {
  it.each([
    [0, ''],
    [399, ''],
    [400, 'Hello'],
    [720, 'Hello, how'],
    [1_499, 'Hello, how are you'],
    [1_500, 'Hello, how are you today'],
    [1_600, TEXT],
  ])('goes by the words of the voice at %i ms', (heardMs, expected) => {
    expect(heardText({ text: TEXT, words: WORDS, heardMs, totalMs: 1_600 })).toBe(expected)
  })

  it.each([
    [0, ''],
    [500, ''],
    [1_000, 'Hello, how'],
    [2_000, 'Hello, how are you'],
    [2_500, TEXT],
  ])('goes by time without words at %i ms', (heardMs, expected) => {
    expect(heardText({ text: TEXT, words: [], heardMs, totalMs: 2_500 })).toBe(expected)
  })

  it('guesses the length of a speech that is still being synthesised', () => {
    expect(heardText({ text: TEXT, words: [], heardMs: 1_000, totalMs: null })).toBe(
      'Hello, how are',
    )
  })

  it('follows a voice that names words otherwise', () => {
    const words = [
      { text: 'two', endMs: 200 },
      { text: 'men', endMs: 400 },
    ]
    expect(heardText({ text: '2 men came', words, heardMs: 250, totalMs: null })).toBe('2')
    expect(heardText({ text: '2 men came', words, heardMs: 450, totalMs: null })).toBe('2 men')
  })

  it('is always a beginning of the text that ends with a whole word, and grows with time', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z,.]{1,8}$/), { minLength: 1, maxLength: 12 }),
        fc.nat(3_000),
        fc.nat(3_000),
        (words, one, other) => {
          const text = words.join(' ')
          const [earlier, later] = [Math.min(one, other), Math.max(one, other)]
          const heard = (heardMs: number) => heardText({ text, words: [], heardMs, totalMs: 3_000 })
          expect(heard(later).startsWith(heard(earlier))).toBe(true)
          expect(`${text} `.startsWith(heard(later) === '' ? '' : `${heard(later)} `)).toBe(true)
        },
      ),
    )
  })
})
