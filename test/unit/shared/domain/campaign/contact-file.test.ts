import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'

import {
  CONTACT_BYTES_MAX,
  openContacts,
  readContacts,
  type ContactLine,
} from '#shared/domain/campaign/contact-file.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

function opened(bytes: Uint8Array) {
  const file = openContacts(bytes)
  if (file.kind === 'unreadable') throw new Error(file.reason)
  return file
}

function readAll(text: string): readonly ContactLine[] {
  const bytes = bytesOf(text)
  const { format, start } = opened(bytes)
  return readContacts(bytes.subarray(start), { format, isEnd: true, limit: 100 }).lines
}

const contact = (toPhoneNumber: string, promptVariables: Record<string, string> = {}) => ({
  kind: 'contact',
  contact: { toPhoneNumber, promptVariables },
})
const unusable = (reason: RegExp) => ({
  kind: 'unusable',
  reason: expect.stringMatching(reason),
})

describe('NDJSON', () => {
  test.each<[string, unknown]>([
    ['{"to_phone_number":"+1","prompt_variables":{"a":"b"}}', contact('+1', { a: 'b' })],
    ['{"to_phone_number":"+1"}', contact('+1')],
    ['{"to_phone_number":"+1"', unusable(/not a JSON object/)],
    ['["+1"]', unusable(/not a JSON object/)],
    ['null', unusable(/not a JSON object/)],
    ['{"prompt_variables":{}}', unusable(/lacks to_phone_number/)],
    ['{"to_phone_number":12}', unusable(/lacks to_phone_number/)],
    ['{"to_phone_number":"+1","name":"A"}', unusable(/no field "name"/)],
    ['{"to_phone_number":"+1","prompt_variables":{"a":1}}', unusable(/names to texts/)],
    ['{"to_phone_number":"+1","prompt_variables":[]}', unusable(/names to texts/)],
    [`{"to_phone_number":"${'1'.repeat(CONTACT_BYTES_MAX)}"}`, unusable(/longer than/)],
  ])('%.60s', (line, expected) => {
    expect(readAll(`{"to_phone_number":"+0"}\n${line}\n`)).toEqual([contact('+0'), expected])
  })

  it('passes over blank lines, a byte order mark and carriage returns', () => {
    const text = '\ufeff{"to_phone_number":"+1"}\r\n\r\n  \n{"to_phone_number":"+2"}'
    expect(readAll(text)).toEqual([contact('+1'), contact('+2')])
  })
})

describe('CSV', () => {
  test.each<[string, unknown]>([
    ['+1,Bo,x', contact('+1', { first_name: 'Bo', note: 'x' })],
    [`${'1'.repeat(65)},Bo,x`, unusable(/phone number is longer than 64/)],
    [' +1 ,"a, ""b""\nc",', contact('+1', { first_name: 'a, "b"\nc', note: '' })],
    ['+1,Bo', unusable(/2 fields, the first one 3/)],
    ['+1,Bo,x,y', unusable(/4 fields, the first one 3/)],
    ['+1,B"o,x', unusable(/quote/)],
  ])('%j', (line, expected) => {
    expect(readAll(`to_phone_number, first_name,note\n${line}\n`)).toEqual([expected])
  })

  it('takes the columns in any order and ignores one without a name', () => {
    const text = '\ufeff"name",,"to_phone_number"\r\nBo,what,+1\r\n'
    expect(readAll(text)).toEqual([contact('+1', { name: 'Bo' })])
  })
})

test.each<[string, RegExp]>([
  ['', /empty/],
  [' \n\n', /empty/],
  ['phone,name\n+1,Bo', /no.* column to_phone_number/],
  ['"to_phone_number', /column to_phone_number/],
  ['\u0000\u0001PK', /column to_phone_number/],
])('%j is no file of contacts', (text, reason) => {
  expect(openContacts(bytesOf(text))).toEqual({
    kind: 'unreadable',
    reason: expect.stringMatching(reason),
  })
})

it('gives the same contacts, however the file is cut into pieces', () => {
  const lines = fc.array(
    fc.record({
      to_phone_number: fc.string(),
      prompt_variables: fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' })),
    }),
    { minLength: 1, maxLength: 20 },
  )
  fc.assert(
    fc.property(
      lines,
      fc.integer({ min: 1, max: 400 }),
      fc.integer({ min: 1, max: 5 }),
      (contacts, window, limit) => {
        const bytes = bytesOf(contacts.map((one) => JSON.stringify(one)).join('\n'))
        const { format } = opened(bytes)
        const read: ContactLine[] = []
        let size = window
        for (let offset = 0; offset < bytes.length;) {
          const piece = bytes.subarray(offset, offset + size)
          const isEnd = offset + size >= bytes.length
          const { lines: some, bytesRead } = readContacts(piece, { format, isEnd, limit })
          expect(some.length).toBeLessThanOrEqual(limit)
          read.push(...some)
          offset += bytesRead
          size = bytesRead === 0 ? size * 2 : window
        }
        expect(read).toEqual(
          contacts.map((one) => contact(one.to_phone_number, one.prompt_variables)),
        )
      },
    ),
  )
})
