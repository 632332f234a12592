import { expect, test } from 'vitest'

import type { HistoryItem } from '#voice/engine/history.ts'
import { joinText, toMessages, toTranscriptEntry } from '#voice/engine/history.ts'

const user = (text: string): HistoryItem => ({ type: 'user', text })
const agent = (text: string): HistoryItem => ({ type: 'agent', text })
const tool = (id: string, args = '{"a":1}'): HistoryItem => {
  return {
    type: 'tool',
    call: { id, name: 'look', arguments: args },
    output: 'found',
    isError: false,
  }
}

test('neighbours of one role are one message', () => {
  expect(toMessages([user('Hi.'), agent('Once'), agent('upon.'), user('A'), user('b?')])).toEqual([
    { role: 'user', content: 'Hi.' },
    { role: 'assistant', content: 'Once upon.' },
    { role: 'user', content: 'A b?' },
  ])
})

test('a tool call joins the words before it, every call has its answer', () => {
  const call = (id: string) => ({ id, name: 'look', arguments: '{"a":1}' })
  expect(
    toMessages([user('Hi.'), agent('One moment.'), tool('t1'), tool('t2'), agent('So.')]),
  ).toEqual([
    { role: 'user', content: 'Hi.' },
    { role: 'assistant', content: 'One moment.', toolCalls: [call('t1')] },
    { role: 'tool', toolCallId: 't1', content: 'found' },
    { role: 'assistant', content: '', toolCalls: [call('t2')] },
    { role: 'tool', toolCallId: 't2', content: 'found' },
    { role: 'assistant', content: 'So.' },
  ])
})

test.each([
  ['{"a":1}', { a: 1 }],
  ['[1]', '[1]'],
  ['null', 'null'],
  ['a: 1', 'a: 1'],
  ['', ''],
])('tool arguments %s', (text, toolArguments) => {
  expect(toTranscriptEntry(tool('t', text)).toolArguments).toEqual(toolArguments)
})

test('texts are joined by one space', () => {
  expect(joinText([' a ', '', 'b.', '  '])).toBe('a b.')
})
