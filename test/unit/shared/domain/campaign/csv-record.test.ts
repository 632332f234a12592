import * as fc from 'fast-check'
import { expect, it, test } from 'vitest'

import { parseCsvRecord } from '#shared/domain/campaign/csv-record.ts'

test.each<[string, string[] | null]>([
  ['', ['']],
  ['a,b', ['a', 'b']],
  ['a,,', ['a', '', '']],
  [',a', ['', 'a']],
  ['"a,b",c', ['a,b', 'c']],
  ['"say ""hi""",""', ['say "hi"', '']],
  ['"two\nlines",x', ['two\nlines', 'x']],
  [' a , b ', [' a ', ' b ']],
  ['"open', null],
  ['"closed"early,x', null],
  ['in"side', null],
])('%j', (text, fields) => {
  expect(parseCsvRecord(text)).toEqual(fields)
})

it('reads back what RFC 4180 writes', () => {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  const plain = (text: string) => (/[",\n\r]/.test(text) ? quoted(text) : text)
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.boolean()), { minLength: 1 }), (fields) => {
      const text = fields.map(([field, always]) => (always ? quoted(field) : plain(field)))
      expect(parseCsvRecord(text.join(','))).toEqual(fields.map(([field]) => field))
    }),
  )
})
