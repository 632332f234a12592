import * as fc from 'fast-check'
import { expect, it, test } from 'vitest'

import { listVariables, renderTemplate } from '#shared/domain/prompt-variables.ts'

test.each([
  ['Hello {{name}}!', 'Hello Ada!'],
  ['{{ name }} and {{name}}', 'Ada and Ada'],
  ['{{price}}', 'costs $& and $1'],
  ['{{nested}}', '{{name}}'],
  ['{ {name} } {{na me}} {{1st}} {{}} {{{name}}}', '{ {name} } {{na me}} {{1st}} {{}} {Ada}'],
  ['{"a": {"b": "{{name}}"}}', '{"a": {"b": "Ada"}}'],
  ['{{empty}}.', '.'],
  ['{{#each}} {{! no }} {{name', '{{#each}} {{! no }} {{name'],
])('%j becomes %j', (template, text) => {
  const variables = { name: 'Ada', price: 'costs $& and $1', nested: '{{name}}', empty: '' }
  expect(renderTemplate(template, variables, { onMissing: 'keep' })).toBe(text)
})

test.each(['missing', 'constructor', '__proto__', 'toString'])('%s has no value', (name) => {
  const template = `Hello {{${name}}}!`
  expect(renderTemplate(template, {}, { onMissing: 'keep' })).toBe(template)
  expect(renderTemplate(template, {}, { onMissing: 'empty' })).toBe('Hello !')
})

it('lists each name once, in order', () => {
  expect(listVariables('{{b}} {{a}} {{ b }} {{_c1}} {{not one}}')).toEqual(['b', 'a', '_c1'])
  expect(listVariables('nothing')).toEqual([])
})

it('keeps text without placeholders, and leaves none that has a value', () => {
  const anyText = fc.array(fc.constantFrom('{', '}', '{{', '}}', 'a', ' ', '{{a}}', '$&'))
  fc.assert(
    fc.property(anyText, (parts) => {
      const text = parts.join('')
      const names = listVariables(text)
      const values = Object.fromEntries(names.map((name) => [name, '!']))
      expect(renderTemplate(text, {}, { onMissing: 'keep' })).toBe(text)
      if (names.length === 0) {
        expect(renderTemplate(text, { a: '!' }, { onMissing: 'empty' })).toBe(text)
      } else {
        expect(renderTemplate(text, values, { onMissing: 'keep' })).toContain('!')
      }
    }),
  )
})
