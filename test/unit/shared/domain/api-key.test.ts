import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { checkApiKey, formatApiKey } from '#shared/domain/api-key.ts'

const ENTROPY = '0123456789ABCDEFGHIJKLMNOPQRST'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.split('')
const entropy = fc
  .array(fc.constantFrom(...BASE62), { minLength: 30, maxLength: 30 })
  .map((characters) => characters.join(''))

describe('API keys', () => {
  test('the measured vector', () => {
    const key = formatApiKey({ mode: 'live', entropy: ENTROPY })
    expect(key).toBe('vak_live_0123456789ABCDEFGHIJKLMNOPQRST4PMbyp')
    expect(createHash('sha256').update(key).digest('hex')).toHaveLength(64)
  })

  test('the check characters are the CRC32 of zlib in base62', () => {
    fc.assert(
      fc.property(entropy, (text) => {
        const check = formatApiKey({ mode: 'test', entropy: text }).slice(-6)
        const value = check.split('').reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0)
        expect(value).toBe(crc32(text))
      }),
    )
  })

  test('a key is recognised, with its mode; with any other character it is not', () => {
    fc.assert(
      fc.property(
        entropy,
        fc.constantFrom('live' as const, 'test' as const),
        fc.nat(35),
        fc.constantFrom(...BASE62),
        (text, mode, at, other) => {
          const key = formatApiKey({ mode, entropy: text })
          expect(checkApiKey(key)).toEqual({ mode })
          const index = 'vak_live_'.length + at
          fc.pre(key[index] !== other)
          expect(checkApiKey(key.slice(0, index) + other + key.slice(index + 1))).toBeNull()
        },
      ),
    )
  })

  test.each(['', 'vak_live_', `vac_live_${ENTROPY}4PMbyp`, ` vak_live_${ENTROPY}4PMbyp`])(
    '%j is no key',
    (text) => {
      expect(checkApiKey(text)).toBeNull()
    },
  )

  test.each(['', 'x', `${ENTROPY}!`, `${ENTROPY.slice(1)}-`])('%j is no entropy', (text) => {
    expect(() => formatApiKey({ mode: 'live', entropy: text })).toThrow('30 base62')
  })
})
