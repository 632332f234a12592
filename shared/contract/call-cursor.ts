import * as z from 'zod'

import type { CallPosition } from '#shared/domain/call-search/call-row.ts'

/** Where a list of calls goes on, as an opaque text; of nobody's organization. */
export function writeCallCursor({ createdAt, id }: CallPosition): string {
  return Buffer.from(`${createdAt}#${id}`).toString('base64url')
}

/** Null when it is none of ours. */
export function readCallCursor(text: string): CallPosition | null {
  const [, createdAt, id] =
    /^(\d{1,15})#(\w{1,64})$/.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (createdAt === undefined || id === undefined) return null
  return { createdAt: Number(createdAt), id }
}

/** The `next_cursor` of the page before; null or absent for the first page. */
export const callCursor = z
  .string()
  .max(256)
  .refine((text) => readCallCursor(text) !== null, {
    error: 'Expected the next_cursor of an earlier answer',
    params: { code: 'invalid_cursor' },
  })
  .nullable()
  .default(null)
