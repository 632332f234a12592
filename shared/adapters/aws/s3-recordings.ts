import type { Recordings } from '#shared/ports/recordings.ts'

import type { S3Bucket } from './s3-bucket.ts'

const URL_LIFETIME_SECS = 3_600

/** Recordings in a private bucket, read through signed links. Throws AdapterError. */
export function s3Recordings(bucket: S3Bucket): Recordings {
  return {
    put: async (key, content, mediaType = 'audio/wav') => {
      const headers = { 'content-type': mediaType }
      await bucket.send({ method: 'PUT', key, headers, content }, [200])
    },
    url: (key) => bucket.link({ method: 'GET', key }, URL_LIFETIME_SECS),
  }
}
