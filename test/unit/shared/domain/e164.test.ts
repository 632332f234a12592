import { assert, constantFrom, property, stringMatching, tuple } from 'fast-check'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import metadata from 'libphonenumber-js/max/metadata'
import { expect, test } from 'vitest'

import { parseE164 } from '#shared/domain/e164.ts'

test.each([
  ['+12125551234', 'US'],
  ['+18005551234', 'US'],
  ['+14165551234', 'CA'],
  ['+447911123456', 'GG'],
  ['+493012345678', 'DE'],
  ['+80012345678', null],
])('%s is valid', (e164, country) => {
  expect(parseE164(e164)).toEqual({ kind: 'valid', e164, country })
})

test('every fictional test number is valid', () => {
  for (let last = 0; last < 100; last += 1) {
    const e164 = `+120255501${String(last).padStart(2, '0')}`
    expect(parseE164(e164)).toEqual({ kind: 'valid', e164, country: 'US' })
  }
})

test.each([
  ['2025550100', 'not_e164'],
  ['+1 202 555 0100', 'not_e164'],
  ['+0123456789', 'not_e164'],
  ['+1234567890123456', 'not_e164'],
  ['', 'not_e164'],
  ['+', 'not_e164'],
  ['+12025550100;ext=1', 'not_e164'],
  ['+99912345678', 'unknown_country_code'],
  ['+1202555', 'not_in_numbering_plan'],
  ['+11115550100', 'not_in_numbering_plan'],
])('%s is refused: %s', (text, reason) => {
  expect(parseE164(text)).toEqual({ kind: 'invalid', reason })
})

/** Every country code, the most numbers that the plan has to tell apart. */
const CALLING_CODES = [
  ...Object.keys(metadata.country_calling_codes),
  ...Object.keys(metadata.nonGeographic),
]

test('what the whole plan of the package says is said, whatever the number', () => {
  const anyNumber = tuple(constantFrom(...CALLING_CODES), stringMatching(/^\d{4,14}$/)).map(
    ([code, rest]) => `+${code}${rest}`.slice(0, 16),
  )
  assert(
    property(anyNumber, (text) => {
      const known = parsePhoneNumberFromString(text)
      const expected = known?.isValid()
        ? { kind: 'valid', e164: known.number, country: known.country ?? null }
        : { kind: 'invalid' }
      expect(parseE164(text)).toMatchObject(expected)
    }),
    { numRuns: 2_000 },
  )
})
