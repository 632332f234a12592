import { Readable } from 'node:stream'

import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { S3Client } from '@aws-sdk/client-s3'

import type { Recordings } from '#shared/ports/recordings.ts'

import { awsError } from './aws-error.ts'

const URL_LIFETIME_SECS = 3_600

/** Recordings in a private bucket, read through signed links. Throws AdapterError. */
export function s3Recordings(options: {
  readonly client: S3Client
  readonly bucket: string
  /** Makes a link that allows to GET one object for a while. */
  readonly presign: (object: {
    readonly bucket: string
    readonly key: string
    readonly expiresInSecs: number
  }) => Promise<string>
}): Recordings {
  const { client, bucket } = options
  return {
    async put(key, wav) {
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: Readable.from(wav.chunks()),
        ContentLength: wav.bytes,
        ContentType: 'audio/wav',
      })
      await client.send(command).catch((error: unknown) => {
        throw awsError('could not store a recording', error)
      })
    },
    url: (key) => options.presign({ bucket, key, expiresInSecs: URL_LIFETIME_SECS }),
  }
}
