import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { Recordings } from '#shared/ports/recordings.ts'

/**
 * Recordings as files below `folder`, served by somebody else below `baseUrl`. A file appears
 * complete or not at all.
 */
export function fileRecordings(options: {
  readonly folder: string
  readonly baseUrl: string
}): Recordings {
  return {
    async put(key, content) {
      const path = join(options.folder, ...segmentsOf(key))
      await mkdir(dirname(path), { recursive: true })
      await writeFile(`${path}.part`, content.chunks())
      await rename(`${path}.part`, path)
    },
    async url(key) {
      const path = segmentsOf(key).map(encodeURIComponent).join('/')
      return `${options.baseUrl.replace(/\/+$/, '')}/${path}`
    },
  }
}

/** The names that lead to a stored file. Throws on keys that would leave the folder. */
export function segmentsOf(key: string): string[] {
  const segments = key.split('/')
  const isSafe = segments.every((segment) => /^[\w.-]+$/.test(segment) && !/^\.+$/.test(segment))
  if (!isSafe) throw new RangeError('a key is made of plain file names')
  return segments
}
