import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { completenessOf, haveSameWords } from '#voice/engine/completeness.ts'

const NUMBER_QUESTION = 'Could you give me your phone number, please?'

test.each([
  ['Yes.', 'closed'],
  ['no thank you', 'closed'],
  ['Okay, great.', 'closed'],
  ['that would be fine thank you', 'closed'],
  ['I could come on Tuesday', 'closed'],
  ['tomorrow at 3', 'closed'],
  ['How long does it take?', 'closed'],
  ['how long will that take', 'closed'],
  ['I would like the blue one', 'unclear'],
  ['My tooth hurts.', 'unclear'],
  ['I would like to', 'open'],
  ['I want', 'open'],
  ['because', 'open'],
  ['on Monday and', 'open'],
  ['Well, um', 'open'],
  ['I', 'open'],
  ['on Monday, ', 'open'],
  ['wait...', 'open'],
  ['', 'unclear'],
  ['?', 'unclear'],
] as const)('%j is %s', (text, expected) => {
  expect(completenessOf({ text, question: '', language: 'en' })).toBe(expected)
})

test.each([
  ['zero two zero', NUMBER_QUESTION, 'open'],
  ['zero two zero seven nine four six eight', NUMBER_QUESTION, 'unclear'],
  ['020 7946', NUMBER_QUESTION, 'open'],
  ['020 7946 0958', NUMBER_QUESTION, 'unclear'],
  ['there are seven', 'How many are there?', 'unclear'],
] as const)('%j after %j is %s', (text, question, expected) => {
  expect(completenessOf({ text, question, language: 'en' })).toBe(expected)
})

test.each([
  ['de', 'Ja, bitte.', 'closed'],
  ['de', 'ich möchte', 'open'],
  ['fr', 'oui merci', 'closed'],
  ['fr', 'je voudrais un', 'open'],
  ['es', 'no gracias', 'closed'],
  ['it', 'vorrei', 'open'],
  ['pt', 'sim obrigado', 'closed'],
  ['nl', 'ik wil de', 'open'],
  ['xx', 'Yes.', 'unclear'],
] as const)('in %s, %j is %s', (language, text, expected) => {
  expect(completenessOf({ text, question: '', language })).toBe(expected)
})

test('whatever was said, there is an answer', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, question) => {
      const answer = completenessOf({ text, question, language: 'en' })
      expect(['open', 'unclear', 'closed']).toContain(answer)
    }),
  )
})

test('the same words are the same whatever their punctuation', () => {
  expect(haveSameWords('i’d like that', "I'd like that.")).toBe(true)
  expect(haveSameWords('I like that', 'I like it')).toBe(false)
})
