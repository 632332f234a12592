import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'

import type { ContactUploads } from '#shared/ports/contact-uploads.ts'

import { awsError } from './aws-error.ts'

/** S3 stores the file only where none stands yet: what is imported does not change meanwhile. */
export const ONCE = { 'if-none-match': '*' } as const

/** Contacts in a private bucket, uploaded through signed links. Throws AdapterError. */
export function s3ContactUploads(options: {
  readonly client: S3Client
  readonly bucket: string
  /** Makes a link that allows to PUT one object for a while, with the header fields of `ONCE`. */
  readonly presignPut: (object: {
    readonly bucket: string
    readonly key: string
    readonly expiresInSecs: number
  }) => Promise<string>
}): ContactUploads {
  const { client, bucket } = options
  return {
    offer: async (key, expiresInSecs) => ({
      url: await options.presignPut({ bucket, key, expiresInSecs }),
      headers: ONCE,
    }),
    put: async (key, bytes) => {
      const command = new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes })
      await client.send(command).catch(refusal('could not store contacts'))
    },
    read: async (key, { offset, length }) => {
      const command = new GetObjectCommand({
        Bucket: bucket,
        Key: key,
        Range: `bytes=${offset}-${offset + length - 1}`,
      })
      try {
        const { Body } = await client.send(command)
        return (await Body?.transformToByteArray()) ?? new Uint8Array()
      } catch (error) {
        if (isNamed(error, 'NoSuchKey')) return null
        if (isNamed(error, 'InvalidRange')) return new Uint8Array()
        throw awsError('could not read contacts', error)
      }
    },
    erase: async (key) => {
      const command = new DeleteObjectCommand({ Bucket: bucket, Key: key })
      await client.send(command).catch(refusal('could not erase contacts'))
    },
  }
}

function refusal(what: string) {
  return (error: unknown) => {
    throw awsError(what, error)
  }
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name
}
