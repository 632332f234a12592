import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { splitSentences } from '#voice/engine/sentence-splitter.ts'

/** What the voice gets when the text comes in these deltas. */
function spoken(deltas: readonly string[]): readonly string[] {
  const sentences: string[] = []
  let pending = ''
  for (const delta of deltas) {
    const split = splitSentences(pending + delta, sentences.length === 0)
    sentences.push(...split.sentences)
    pending = split.rest
  }
  return pending.trim() === '' ? sentences : [...sentences, pending.trim()]
}

test.each([
  ['Hello. How are you today?', ['Hello.', 'How are you today?']],
  [
    'It costs 3.50 dollars. That is not so much.',
    ['It costs 3.50 dollars.', 'That is not so much.'],
  ],
  ['Dr. Smith is here. Mr. Jones is not.', ['Dr. Smith is here.', 'Mr. Jones is not.']],
  ['Come at 9 a.m. on Tuesday. We open then.', ['Come at 9 a.m. on Tuesday.', 'We open then.']],
  ['We open at 9 a.m. Please be there in time.', ['We open at 9 a.m.', 'Please be there in time.']],
  ['J. R. Smith called. He will call again.', ['J. R. Smith called.', 'He will call again.']],
  ['1. Open the door. 2. Walk in, please.', ['1. Open the door.', '2. Walk in, please.']],
  ['Really?! I did not know that at all.', ['Really?!', 'I did not know that at all.']],
  ['She said "Come in." Then she left us.', ['She said "Come in."', 'Then she left us.']],
  ['See example.com for more of it. Thanks.', ['See example.com for more of it.', 'Thanks.']],
  ['Well, hello. Yes. No. I see what you mean.', ['Well, hello.', 'Yes. No. I see what you mean.']],
  ['First line of it\nSecond line', ['First line of it', 'Second line']],
  ['好的。我明白了。', ['好的。', '我明白了。']],
  ['   ', []],
])('%s', (text, sentences) => {
  expect(spoken([text])).toEqual(sentences)
})

test('the first sentence goes out with the first delta after it', () => {
  expect(splitSentences('Sure. ', true)).toEqual({ sentences: ['Sure.'], rest: '' })
  expect(splitSentences('Sure.', true)).toEqual({ sentences: [], rest: 'Sure.' })
  expect(splitSentences('Sure. ', false)).toEqual({ sentences: [], rest: 'Sure. ' })
})

const alphabet = fc.oneof(
  fc.constantFrom('a', 'b', '.', ' ', '?', '!', '"', '\n', ')', '1', 'A', '好', '。'),
  fc.constantFrom('a.m', 'Dr.', 'word ', '🦊'),
)
const text = fc.array(alphabet, { maxLength: 200 }).map((parts) => parts.join(''))

test('nothing is lost or added', () => {
  fc.assert(
    fc.property(text, (whole) => {
      expect(spoken([whole]).join('').replaceAll(/\s/g, '')).toBe(whole.replaceAll(/\s/g, ''))
    }),
  )
})

test('how the text was cut into deltas does not matter', () => {
  fc.assert(
    fc.property(text, (whole) => {
      expect(spoken(whole.split(''))).toEqual(spoken([whole]))
    }),
  )
})

test('no piece is long', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 300, maxLength: 3_000 }), (whole) => {
      for (const sentence of spoken([whole])) expect(sentence.length).toBeLessThanOrEqual(240)
    }),
  )
})
