import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { fieldErrors, jsonPointer } from '#shared/contract/field-errors.ts'

const schema = z.strictObject({
  text: z.string().min(2).max(3),
  list: z.array(z.number()).max(1),
  amount: z.number().min(0).max(1),
  form: z.email(),
  choice: z.enum(['a', 'b']),
  shape: z.discriminatedUnion('type', [z.strictObject({ type: z.literal('x') })]),
  ruled: z.number().refine((value) => value !== 7, { params: { code: 'unlucky' } }),
})
const GOOD = {
  text: 'ab',
  list: [1],
  amount: 0,
  form: 'a@b.co',
  choice: 'a',
  shape: { type: 'x' },
  ruled: 1,
}

function errorsOf(changes: object): [pointer: string, code: string][] {
  const result = schema.safeParse({ ...GOOD, ...changes }, { reportInput: true })
  return result.success ? [] : fieldErrors(result.error).map(({ pointer, code }) => [pointer, code])
}

describe('field errors', () => {
  test.each<[changes: object, errors: [string, string][]]>([
    [{}, []],
    [{ text: undefined }, [['/text', 'required']]],
    [{ text: 1 }, [['/text', 'invalid_type']]],
    [{ text: 'a' }, [['/text', 'too_short']]],
    [{ text: 'abcd' }, [['/text', 'too_long']]],
    [{ list: [1, 2] }, [['/list', 'too_long']]],
    [{ list: ['x'] }, [['/list/0', 'invalid_type']]],
    [{ amount: -1 }, [['/amount', 'too_small']]],
    [{ amount: 2 }, [['/amount', 'too_big']]],
    [{ form: 'x' }, [['/form', 'invalid_format']]],
    [{ choice: 'c' }, [['/choice', 'invalid_value']]],
    [{ choice: undefined }, [['/choice', 'required']]],
    [{ shape: {} }, [['/shape/type', 'required']]],
    [{ shape: { type: 'y' } }, [['/shape/type', 'invalid_value']]],
    [{ shape: 'x' }, [['/shape', 'invalid_type']]],
    [{ ruled: 7 }, [['/ruled', 'unlucky']]],
    [
      { b: 1, 'c/d~': 2 },
      [
        ['/b', 'unknown_field'],
        ['/c~1d~0', 'unknown_field'],
      ],
    ],
  ])('%j', (changes, errors) => {
    expect(errorsOf(changes)).toEqual(errors)
  })

  test.each<[schema: z.ZodType, value: unknown, detail: string]>([
    [schema, { ...GOOD, text: undefined }, 'This field is needed'],
    [schema.partial().required({ text: true }), {}, 'This field is needed'],
    [z.record(z.string().regex(/^a/, 'Begins with a'), z.string()), { b: '' }, 'Begins with a'],
  ])('the detail is meant for people: %#', (wanted, value, detail) => {
    const { error } = wanted.safeParse(value, { reportInput: true })
    expect(error && fieldErrors(error).map((found) => found.detail)).toEqual([detail])
  })

  test('a place is named once', () => {
    const issue: z.core.$ZodIssue = { code: 'custom', path: ['a'], message: 'm', input: 1 }
    expect(fieldErrors(new z.ZodError([issue, issue]))).toHaveLength(1)
  })

  test('the pointer of the whole body is empty', () => {
    expect(jsonPointer([])).toBe('')
  })
})
