import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { ContactUploads } from '#shared/ports/contact-uploads.ts'

import { segmentsOf } from './file-recordings.ts'

/** Contacts as files below `folder`; what is PUT below `baseUrl` is stored there by somebody else. */
export function fileContactUploads(options: {
  readonly folder: string
  readonly baseUrl: string
}): ContactUploads {
  const pathOf = (key: string) => join(options.folder, ...segmentsOf(key))
  return {
    offer: async (key) => ({
      url: `${options.baseUrl}/${segmentsOf(key).join('/')}`,
      headers: { 'if-none-match': '*' },
    }),
    put: async (key, bytes) => {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(`${path}.part`, bytes)
      await rename(`${path}.part`, path)
    },
    read: async (key, { offset, length }) => {
      const file = await open(pathOf(key)).catch(nothingThere)
      if (file === null) return null
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset)
        return buffer.subarray(0, bytesRead)
      } finally {
        await file.close()
      }
    },
    erase: (key) => rm(pathOf(key), { force: true }),
  }
}

function nothingThere(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') throw error
  return null
}
