import { expect, test } from 'vitest'

import { frozenCopy } from '#shared/data/frozen-copy.ts'

test('what was given may change, what was stored does not', () => {
  const lines = ['one']
  const given = { lines, who: { name: 'Sam' } }
  const stored = frozenCopy(given)
  lines.push('two')
  given.who.name = 'Max'
  expect(stored).toEqual({ lines: ['one'], who: { name: 'Sam' } })
  expect(() => (stored.who.name = 'Max')).toThrow(TypeError)
  expect(() => stored.lines.push('two')).toThrow(TypeError)
})

test('parts that a change left alone are shared, not copied again', () => {
  const stored = frozenCopy({ settings: { prompt: 'Answer.' }, status: 'scheduled' })
  const changed = frozenCopy({ ...stored, status: 'calling' })
  expect(changed.settings).toBe(stored.settings)
})

test('a name that means something to JavaScript is only a name', () => {
  const stored = frozenCopy(JSON.parse('{"__proto__": "Ann"}'))
  expect(Object.entries(stored)).toEqual([['__proto__', 'Ann']])
})
