import { describe, expect, it } from 'vitest'

import { guardedFetch } from '#shared/adapters/notify/guarded-fetch.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'

const guarded = guardedFetch({ allowLoopback: false })

describe('guardedFetch', () => {
  // Names of addresses only; nothing here is ever connected to.
  it.each([
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://0.0.0.0/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://169.254.170.2/',
    'https://224.0.0.1/',
    'https://[::1]/',
    'https://[::]/',
    'https://[fe80::1]/',
    'https://[fd00:ec2::254]/',
    'https://[::ffff:169.254.169.254]/',
    'https://[64:ff9b::a00:1]/',
  ])('refuses %s', async (url) => {
    const error = await guarded(url, { method: 'GET' }).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(AdapterError)
    expect(error).toMatchObject({ retryable: false, message: 'address is not public' })
  })

  it('refuses private addresses on the local stack too', async () => {
    const local = guardedFetch({ allowLoopback: true })
    await expect(local('http://10.0.0.1/', {})).rejects.toMatchObject({
      message: 'address is not public',
    })
  })

  it.each([
    ['a value with a line break', { 'x-a': 'b\r\nhost: evil' }],
    ['a name with a space', { 'x a': 'b' }],
  ])('refuses %s', async (_name, headers) => {
    await expect(guarded('https://example.com/', { headers })).rejects.toMatchObject({
      retryable: false,
      message: 'request refused',
    })
  })
})
