import { expect, test } from 'vitest'

import { isOptOut } from '#voice/engine/opt-out.ts'

import { opened } from './calls.ts'
import { Scenario } from './scenario.ts'

test.each([
  'Please never call me again.',
  "Don't call this number anymore!",
  'Stop calling me.',
  'Could you take me off your list?',
  'Remove my number, please.',
  'Rufen Sie mich bitte nicht mehr an.',
  "Ne m'appelez plus.",
  'No me llame más.',
])('for good: %s', (text) => {
  expect(isOptOut(text)).toBe(true)
})

test.each([
  "I'm busy, could you call me back later?",
  "Don't call me before ten.",
  'No thank you, I am not interested.',
  'I never call anybody.',
  'Please call me again tomorrow.',
  'Will you stop calling it a test?',
  '',
])('not for good: %s', (text) => {
  expect(isOptOut(text)).toBe(false)
})

test('it is told once, as soon as it is part of the conversation', () => {
  const call = opened({ answers: ['I understand.', 'Goodbye.'] })
  call.says('Please never call me again.').listens()
  expect(call.all('noteOptOut')).toHaveLength(1)
  call.says('I mean it, never call me again.').listens()
  expect(call.all('noteOptOut')).toHaveLength(1)
})

test('whoever hangs up on it has said it all the same', () => {
  const call = opened().says('Never call me again!').waits(400).hangsUp()
  expect(call.all('noteOptOut')).toHaveLength(1)
})

test('a mailbox asks for nothing', () => {
  const call = new Scenario()
    .waits(300)
    .says('Leave a message, or never call me again.')
    .waits(3_000)
  expect(call.all('noteOptOut')).toEqual([])
})
