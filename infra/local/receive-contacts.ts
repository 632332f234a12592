import { createWriteStream } from 'node:fs'
import { link, mkdir, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

const KEY = /^\/contacts\/(\w+\/\w+)$/

/**
 * Stores a file of contacts as the signed link of a bucket would: once. Answers the HTTP status, or
 * null for an address that is none.
 */
export async function receiveContacts(
  request: IncomingMessage,
  target: { readonly folder: string; readonly urlPath: string },
): Promise<number | null> {
  const key = KEY.exec(target.urlPath)?.[1]
  if (key === undefined) return null
  const file = path.join(target.folder, key)
  const part = `${file}.${process.hrtime.bigint()}.part`
  await mkdir(path.dirname(file), { recursive: true })
  try {
    await pipeline(request, createWriteStream(part))
    await link(part, file)
    return 200
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return 412
    throw error
  } finally {
    await rm(part, { force: true })
  }
}
