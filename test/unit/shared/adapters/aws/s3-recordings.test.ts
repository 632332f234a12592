import { Readable } from 'node:stream'

import type { S3Client } from '@aws-sdk/client-s3'
import { expect, it } from 'vitest'

import { s3Recordings } from '#shared/adapters/aws/s3-recordings.ts'
import { soundOf } from '#test/support/recorded-sound.ts'

function recordings(send: (command: { input: unknown }) => Promise<unknown>) {
  return s3Recordings({
    client: { send } as unknown as S3Client,
    bucket: 'recordings',
    presign: async ({ bucket, key, expiresInSecs }) => `${bucket}/${key}?for=${expiresInSecs}`,
  })
}

it('stores a recording as audio', async () => {
  const inputs: unknown[] = []
  const bucket = recordings(async ({ input }) => inputs.push(input))
  await bucket.put('org_1/att_1.wav', soundOf(1, 2))
  expect(inputs).toEqual([
    {
      Bucket: 'recordings',
      Key: 'org_1/att_1.wav',
      Body: expect.any(Readable),
      ContentLength: 2,
      ContentType: 'audio/wav',
    },
  ])
})

it('links to it for an hour', async () => {
  const url = await recordings(() => Promise.resolve()).url('org_1/att_1.wav')
  expect(url).toBe('recordings/org_1/att_1.wav?for=3600')
})

it('reports what S3 refuses as an adapter error', async () => {
  const failing = recordings(() => Promise.reject(new Error('socket closed')))
  await expect(failing.put('a.wav', soundOf())).rejects.toMatchObject({
    name: 'AdapterError',
    retryable: true,
  })
})
