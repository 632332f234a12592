import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'

import { beforeEach, expect, it } from 'vitest'

import { receiveContacts } from '#infra/local/receive-contacts.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'contacts-'))
  return () => rm(folder, { recursive: true })
})

const put = (urlPath: string, content: readonly string[]) =>
  receiveContacts(Readable.from(content) as IncomingMessage, { folder, urlPath })

it('stores a file once, like a bucket asked with if-none-match', async () => {
  expect(await put('/contacts/org_1/upl_1', ['first', ' half'])).toBe(200)
  expect(await put('/contacts/org_1/upl_1', ['other'])).toBe(412)
  expect(await readFile(path.join(folder, 'org_1/upl_1'), 'utf8')).toBe('first half')
  expect(await readdir(path.join(folder, 'org_1'))).toEqual(['upl_1'])
})

it.each(['/contacts/upl_1', '/contacts/../x/y', '/contacts/org_1/..', '/recordings/org_1/upl_1'])(
  '%s is no address of contacts',
  async (urlPath) => {
    expect(await put(urlPath, ['x'])).toBeNull()
  },
)

it('leaves nothing of an upload that broke off', async () => {
  const broken = new Readable({ read: () => broken.destroy(new Error('gone')) })
  const request = broken as IncomingMessage
  const target = { folder, urlPath: '/contacts/org_1/upl_1' }
  await expect(receiveContacts(request, target)).rejects.toThrow('gone')
  expect(await readdir(path.join(folder, 'org_1'))).toEqual([])
})
