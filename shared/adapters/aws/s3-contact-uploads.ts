import type { ContactUploads } from '#shared/ports/contact-uploads.ts'

import type { S3Bucket } from './s3-bucket.ts'

/** S3 stores the file only where none stands yet: what is imported does not change meanwhile. */
const ONCE = { 'if-none-match': '*' }

/** Contacts in a private bucket, uploaded through signed links. Throws AdapterError. */
export function s3ContactUploads(bucket: S3Bucket): ContactUploads {
  return {
    offer: async (key, expiresInSecs) => ({
      url: await bucket.link({ method: 'PUT', key, headers: ONCE }, expiresInSecs),
      headers: ONCE,
    }),
    put: async (key, bytes) => {
      const headers = { 'content-type': 'application/octet-stream' }
      await bucket.send({ method: 'PUT', key, headers, content: bytes }, [200])
    },
    read: async (key, { offset, length }) => {
      const headers = { range: `bytes=${offset}-${offset + length - 1}` }
      // 416: the file ends before.
      const { status, body } = await bucket.send({ method: 'GET', key, headers }, [206, 404, 416])
      if (status === 404) return null
      return status === 206 ? body : new Uint8Array()
    },
    erase: async (key) => {
      await bucket.send({ method: 'DELETE', key }, [204])
    },
  }
}
