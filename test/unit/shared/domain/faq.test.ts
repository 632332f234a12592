import { describe, expect, test } from 'vitest'

import type { FaqItem } from '#shared/domain/assistant.ts'
import { findFaqAnswers, withOpenQuestion } from '#shared/domain/faq.ts'

const item = (id: string, question: string, answer: string): FaqItem => {
  return { id, question, answer, needsHumanAnswer: false, source: 'human' }
}
const ITEMS = [
  item('hours', 'When are you open?', 'Monday to Friday from eight to six.'),
  item('parking', 'Is there a car park?', 'Behind the building, free for patients.'),
  item('price', 'What does a check-up cost?', 'Forty pounds; insurance covers it mostly.'),
  item('café', 'Gibt es ein Café?', 'Im Erdgeschoß.'),
]
const open: FaqItem = { ...item('open', 'Do you treat cats?', ''), needsHumanAnswer: true }
const found = (question: string, items = ITEMS) =>
  findFaqAnswers(items, question).map(({ id }) => id)

describe('finding answers', () => {
  test.each([
    ['are you open on Saturday', 'hours'],
    ['where can I park my car', 'parking'],
    ['how much does the checkup cost', 'price'],
    ['does my insurance cover it', 'price'],
    ['GIBT ES EIN CAFE', 'café'],
  ])('%s', (question, id) => {
    expect(found(question)[0]).toBe(id)
  })

  test.each(['do you speak Polish', 'xyz', '', '?!'])('nothing answers: %s', (question) => {
    expect(found(question)).toEqual([])
  })

  test('a word that every item has says little', () => {
    const items = ['red', 'green', 'blue'].map((colour) =>
      item(colour, `Is the ${colour} door`, 'Yes'),
    )
    expect(found('is the green door locked', items)[0]).toBe('green')
  })

  test('questions without an answer are no answers, and five are enough', () => {
    expect(found('Do you treat cats?', [...ITEMS, open])).toEqual([])
    const many = Array.from({ length: 9 }, (_, index) => item(`i${index}`, 'Opening hours', 'Nine'))
    expect(found('opening hours', many)).toHaveLength(5)
  })
})

describe('keeping a question', () => {
  const keep = (question: string, items: readonly FaqItem[] = ITEMS) =>
    withOpenQuestion(items, { id: 'faq_9', question })

  test('it stands at the end and waits for an answer', () => {
    expect(keep(' Do you treat dogs? ')?.at(-1)).toEqual({
      id: 'faq_9',
      question: 'Do you treat dogs?',
      answer: '',
      needsHumanAnswer: true,
      source: 'ai',
    })
  })

  test('one that is there already is not kept twice, however it is written', () => {
    expect(keep('do you treat CATS', [open])).toBeNull()
    expect(keep('when are you open', ITEMS)).toBeNull()
    expect(keep('  ')).toBeNull()
  })

  test('a hundred wait at most, of 500 characters at most', () => {
    const waiting = Array.from({ length: 100 }, (_, index) => ({ ...open, question: `q ${index}` }))
    expect(keep('one more', waiting)).toBeNull()
    expect(keep('one more', waiting.slice(1))).toHaveLength(100)
    expect(keep('x'.repeat(900))?.at(-1)?.question).toHaveLength(500)
  })
})
