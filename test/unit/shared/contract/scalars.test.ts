import { describe, expect, test } from 'vitest'
import type { z } from 'zod'

import { maskSecret } from '#shared/contract/mask-secret.ts'
import { plainHttpErrors } from '#shared/contract/plain-http-errors.ts'
import {
  emailList,
  phoneNumber,
  timestampIn,
  timestampOut,
  webUrl,
} from '#shared/contract/scalars.ts'

const cases: [name: string, schema: z.ZodType, good: string[], bad: string[]][] = [
  [
    'phone numbers',
    phoneNumber,
    // The last three exist in no numbering plan.
    ['+12025550100', '+33612345678', '+6834002', '+15551234567', '+447700900123', '+999123456789'],
    [
      '',
      '12025550100',
      '+1 202 555 0100',
      '+12025',
      '+02025550100',
      `+${'1'.repeat(16)}`,
      '+1٣٣٣٣٣٣٣',
      'tel:+12025550100',
    ],
  ],
  [
    'web addresses',
    webUrl,
    ['https://example.com', 'http://localhost:3000/x?y=1'],
    ['', 'example.com', '/x', 'ftp://example.com', 'javascript:alert(1)', 'file:///etc/passwd'],
  ],
  [
    'lists of e-mail addresses',
    emailList,
    ['a@b.co', 'a@b.co,c@d.co , e@f.co'],
    ['', 'a', 'a@b.co,'],
  ],
  [
    'moments coming in',
    timestampIn,
    ['2026-01-31T09:00:00Z', '2026-01-31T09:00:00.5+05:30', '2026-01-31T09:00Z'],
    ['', '2026-01-31', '2026-01-31T09:00:00', '2026-02-30T09:00:00Z', '1769850000000'],
  ],
  ['moments going out', timestampOut, ['2026-01-31T09:00:00.000Z'], ['2026-01-31T09:00:00Z']],
]

describe.each(cases)('%s', (_name, schema, good, bad) => {
  test.each(good)('%j is taken', (text) => expect(schema.safeParse(text).success).toBe(true))
  test.each(bad)('%j is refused', (text) => expect(schema.safeParse(text).success).toBe(false))
})

describe('secrets', () => {
  test.each([
    ['sk-abcdefgh1234', '…1234'],
    ['123456789012', '…9012'],
    ['12345678901', '…'],
    ['', '…'],
  ])('%j is answered as %j', (secret, mask) => {
    expect(maskSecret(secret)).toBe(mask)
  })
})

describe('addresses that are not encrypted', () => {
  test('are found wherever this service would call them', () => {
    const found = plainHttpErrors(
      {
        webhook_url: 'http://a',
        precall_lookup_url: 'https://a',
        custom_tools: [{ url: 'https://a' }, { url: ' HTTP://a' }],
        llm_model: { type: 'custom', api_url: 'http://a' },
      },
      '/assistant',
    )
    expect(found.map(({ pointer }) => pointer)).toEqual([
      '/assistant/webhook_url',
      '/assistant/llm_model/api_url',
      '/assistant/custom_tools/1/url',
    ])
  })

  test('are not found where there are none', () => {
    expect(plainHttpErrors({ webhook_url: null, custom_tools: null })).toEqual([])
  })
})
