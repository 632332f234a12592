import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { s3Bucket } from '#shared/adapters/aws/s3-bucket.ts'
import { soundOf } from '#test/support/recorded-sound.ts'

const client = new S3Client({
  region: 'eu-west-1',
  credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: 'a+b/c==' },
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
})
const KEY = 'org_1/call 1+2/é.wav'

/** A link that the SDK signs; it would add the name of its operation, which S3 does not look at. */
function linkOfSdk(command: PutObjectCommand, expiresIn: number) {
  command.middlewareStack.add(
    (next) => (args) => {
      delete (args.request as { query: Record<string, unknown> }).query['x-id']
      return next(args)
    },
    { step: 'build', priority: 'low' },
  )
  return getSignedUrl(client, command, { expiresIn })
}

describe('a link', () => {
  const bucket = s3Bucket({ name: 'recordings', config: client.config })
  const partsOf = (link: string) => {
    const { origin, pathname, searchParams } = new URL(link)
    return { origin, pathname, query: Object.fromEntries(searchParams) }
  }
  afterEach(() => vi.useRealTimers())

  test('to read is the one that the SDK makes', async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 31, 9) })
    const command = new GetObjectCommand({ Bucket: 'recordings', Key: KEY })
    const ours = await bucket.link({ method: 'GET', key: KEY }, 3_600)
    const theirs = await linkOfSdk(command, 3_600)
    expect(partsOf(ours)).toEqual(partsOf(theirs))
    expect(partsOf(ours).query['X-Amz-Expires']).toBe('3600')
  })

  test('to write once is the one that the SDK makes', async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 31, 9) })
    const headers = { 'if-none-match': '*' }
    const ours = await bucket.link({ method: 'PUT', key: KEY, headers }, 60)
    const command = new PutObjectCommand({ Bucket: 'recordings', Key: KEY, IfNoneMatch: '*' })
    expect(partsOf(ours)).toEqual(partsOf(await linkOfSdk(command, 60)))
    expect(partsOf(ours).query['X-Amz-SignedHeaders']).toBe('host;if-none-match')
  })
})

describe('a request', () => {
  /** Answers with these statuses, one after the other, then cuts the connection. */
  async function bucketAnswering(...statuses: number[]) {
    const waits: number[] = []
    const seen: (string | undefined)[][] = []
    const server = createServer((request, response) => {
      const { method, headers } = request
      void request.toArray().then((chunks) => {
        const { 'content-type': type, 'content-length': length } = headers
        seen.push([method, type, length, Buffer.concat(chunks).toString()])
        const status = statuses.shift()
        if (status === undefined) request.socket.destroy()
        else response.writeHead(status).end(`${status}`)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const bucket = s3Bucket({
      name: 'recordings',
      config: client.config,
      url: `http://127.0.0.1:${port}/recordings`,
      sleep: async (ms) => waits.push(ms),
    })
    const put = () =>
      bucket.send(
        {
          method: 'PUT',
          key: KEY,
          headers: { 'content-type': 'audio/wav' },
          content: soundOf(...Buffer.from('RIFF')),
        },
        [200],
      )
    return { put, seen, waits, [Symbol.dispose]: () => void server.close() }
  }

  test('carries header fields and body', async () => {
    using s3 = await bucketAnswering(200)
    const { status, body } = await s3.put()
    expect([status, Buffer.from(body).toString()]).toEqual([200, '200'])
    expect(s3.seen).toEqual([['PUT', 'audio/wav', '4', 'RIFF']])
  })

  test('is made again while S3 is busy', async () => {
    using s3 = await bucketAnswering(503, 500, 200)
    await s3.put()
    expect(s3.seen).toHaveLength(3)
    expect(s3.waits).toEqual([100, 200])
  })

  test('fails after three tries, and may be made again later', async () => {
    using s3 = await bucketAnswering(503, 503, 503, 200)
    await expect(s3.put()).rejects.toMatchObject({
      name: 'AdapterError',
      retryable: true,
      status: 503,
    })
    expect(s3.seen).toHaveLength(3)
  })

  test('fails at once when S3 refuses it', async () => {
    using s3 = await bucketAnswering(403, 200)
    await expect(s3.put()).rejects.toMatchObject({ retryable: false, status: 403 })
    expect(s3.seen).toHaveLength(1)
  })

  test('fails when nobody answers', async () => {
    using s3 = await bucketAnswering()
    await expect(s3.put()).rejects.toMatchObject({ name: 'AdapterError', retryable: true })
    expect(s3.seen).toHaveLength(3)
  })
})
