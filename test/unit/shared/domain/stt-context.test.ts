import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { deriveSttContext, mergeSttContext } from '#shared/domain/stt-context.ts'

describe('context from a prompt', () => {
  it.each([
    [
      'You are Ava from Northwind Dental. Offer Sam a check-up.',
      ['Ava', 'Northwind Dental', 'Sam'],
    ],
    ['Northwind Dental calls. Say that Dr Okafor is in.', ['Dental', 'Dr Okafor']],
    ['Ask for the GPT-5 plan or O’Brien & Sons.', ['GPT-5', 'O’Brien', 'Sons']],
    ['- Be kind\n- Be brief\n# Rules\nNever lie.', []],
    ["I think I'm fine and I do not repeat Ava or Ava.", ['Ava']],
    ['', []],
  ])('%j gives the terms %j', (prompt, terms) => {
    expect(deriveSttContext(prompt).terms).toEqual(terms)
  })

  it.each([
    ['You are Ava. Be kind.', 'You are Ava.'],
    ['Version 2.0 is out!', 'Version 2.0 is out!'],
    ['no full stop', 'no full stop'],
  ])('%j has the topic %j', (prompt, topic) => {
    expect(deriveSttContext(prompt).general).toEqual([{ key: 'topic', value: topic }])
  })

  it('stays small for any prompt', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2_000 }), (prompt) => {
        const { general, terms } = deriveSttContext(prompt)
        expect(terms.length).toBeLessThanOrEqual(100)
        expect((general[0]?.value ?? '').length).toBeLessThanOrEqual(300)
        expect(general.every(({ value }) => value !== '')).toBe(true)
      }),
    )
  })
})

describe('merging', () => {
  const derived = {
    general: [{ key: 'topic', value: 'derived' }],
    terms: ['Ava', 'Parley'],
  }

  it('spec 2.1: replaces nothing of the assistant’s own', () => {
    const own = { general: [{ key: 'topic', value: 'own' }], terms: ['AVA'] }
    expect(mergeSttContext(own, derived)).toEqual({
      general: [{ key: 'topic', value: 'own' }],
      terms: ['AVA', 'Parley'],
    })
  })

  it('adds everything where the assistant has none', () => {
    expect(mergeSttContext(null, derived)).toEqual(derived)
  })

  it('leaves out what the recogniser would not take, derived entries first', () => {
    const own = { general: [], terms: ['x'.repeat(7_995)] }
    expect(mergeSttContext(own, derived).terms).toEqual([...own.terms, 'Ava'])
  })
})
