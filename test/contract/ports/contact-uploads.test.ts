import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { SQSClient } from '@aws-sdk/client-sqs'
import { startFauxqs, type FauxqsServer } from 'fauxqs'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'

import { s3Bucket } from '#shared/adapters/aws/s3-bucket.ts'
import { s3ContactUploads } from '#shared/adapters/aws/s3-contact-uploads.ts'
import { fileContactUploads } from '#shared/adapters/local/file-contact-uploads.ts'
import type { ContactUploads } from '#shared/ports/contact-uploads.ts'
import { memoryContactUploads } from '#test/support/memory-contact-uploads.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const KEY = 'org_1/camp_1'

function contactUploadsSuite(open: () => Promise<ContactUploads>): void {
  let uploads: ContactUploads
  beforeEach(async () => {
    uploads = await open()
  })
  const read = async (offset: number, length: number) => {
    const bytes = await uploads.read(KEY, { offset, length })
    return bytes === null ? null : new TextDecoder().decode(bytes)
  }

  test('a file is read in pieces, to its end', async () => {
    await uploads.put(KEY, bytesOf('abcdef'))
    expect(await read(0, 4)).toBe('abcd')
    expect(await read(4, 4)).toBe('ef')
    expect(await read(0, 6)).toBe('abcdef')
    expect(await read(6, 4)).toBe('')
    expect(await read(99, 4)).toBe('')
  })

  test('what was stored last is what is there', async () => {
    await uploads.put(KEY, bytesOf('long before'))
    await uploads.put(KEY, bytesOf('after'))
    expect(await read(0, 99)).toBe('after')
  })

  test('an empty file is one', async () => {
    await uploads.put(KEY, new Uint8Array())
    expect(await read(0, 1)).toBe('')
  })

  test('what is not there, or not any more, is null', async () => {
    expect(await read(0, 1)).toBeNull()
    await uploads.put(KEY, bytesOf('x'))
    await uploads.erase(KEY)
    await uploads.erase(KEY)
    expect(await read(0, 1)).toBeNull()
  })

  test('an upload is offered to be made once', async () => {
    const { url, headers } = await uploads.offer(KEY, 60)
    expect(url).toContain(KEY)
    expect(headers).toEqual({ 'if-none-match': '*' })
  })
}

describe('in memory', () => {
  contactUploadsSuite(async () => memoryContactUploads())
})

describe('in files', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'contacts-'))
    return () => rm(folder, { recursive: true })
  })
  contactUploadsSuite(async () => fileContactUploads({ folder, baseUrl: 'http://local/contacts' }))

  it('never leaves its folder', async () => {
    const uploads = fileContactUploads({ folder, baseUrl: '' })
    for (const key of ['../x', 'org_1/..', '/etc/passwd', 'org_1//x']) {
      await expect(uploads.put(key, bytesOf('x'))).rejects.toThrow(RangeError)
    }
  })
})

describe('in S3', () => {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  let server: FauxqsServer
  let client: SQSClient
  let buckets = 0
  beforeAll(async () => {
    server = await startFauxqs({ port: 0, logger: false })
    client = new SQSClient({ endpoint: server.address, region: 'us-east-1', credentials })
  })
  afterAll(async () => {
    client.destroy()
    await server.stop()
  })

  const open = () => {
    buckets += 1
    const name = `contacts-${buckets}`
    server.createBucket(name)
    const url = `${server.address}/${name}`
    return s3ContactUploads(s3Bucket({ name, config: client.config, url }))
  }
  contactUploadsSuite(async () => open())

  it('offers a link that S3 takes only with the header field that makes it good for once', async () => {
    const { url } = await open().offer(KEY, 60)
    const { searchParams } = new URL(url)
    expect(searchParams.get('X-Amz-SignedHeaders')).toBe('host;if-none-match')
    expect(searchParams.get('X-Amz-Expires')).toBe('60')
    expect(searchParams.has('if-none-match')).toBe(false)
  })
})
