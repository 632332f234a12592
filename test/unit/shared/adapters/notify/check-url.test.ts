import { describe, expect, it } from 'vitest'

import { checkUrl } from '#shared/adapters/notify/check-url.ts'

describe('checkUrl', () => {
  it.each([
    'https://example.com/hook?a=1',
    'https://example.com:8443/',
    'https://example.com./',
    'https://93.184.215.14/',
  ])('allows %s', (url) => {
    expect(checkUrl(url, { allowLoopback: false }).kind).toBe('allowed')
  })

  it.each([
    ['http://example.com/', 'URL is not https'],
    ['ftp://example.com/', 'URL is not https'],
    ['file:///etc/passwd', 'URL is not https'],
    ['https://user@example.com/', 'URL holds credentials'],
    ['https://:secret@example.com/', 'URL holds credentials'],
    ['https://localhost/', 'URL names an internal host'],
    ['https://LOCALHOST./', 'URL names an internal host'],
    ['https://printer/', 'URL names an internal host'],
    ['https://db.internal/', 'URL names an internal host'],
    ['https://app.localhost/', 'URL names an internal host'],
    ['https://nas.local./', 'URL names an internal host'],
    ['/hook', 'URL is not valid'],
    ['https://', 'URL is not valid'],
    [`https://example.com/${'a'.repeat(2_048)}`, 'URL is too long'],
  ])('refuses %s', (url, reason) => {
    expect(checkUrl(url, { allowLoopback: false })).toEqual({ kind: 'refused', reason })
  })

  it.each(['http://localhost:3000/', 'http://127.0.0.1/', 'http://[::1]:80/'])(
    'allows %s on the local stack',
    (url) => {
      expect(checkUrl(url, { allowLoopback: true }).kind).toBe('allowed')
    },
  )
})
