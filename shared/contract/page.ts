import * as z from 'zod'

import { queryNumber } from './scalars.ts'

/** The most that one answer of a list holds (decisions 1). */
const PAGE_MAX = 1_000

/** Where a list goes on, after its last record: an opaque text that needs no encoding in a query. */
export function writePageCursor(id: string): string {
  return Buffer.from(id).toString('base64url')
}

/** Null when it is none of ours: an id, or the number that is one, has other characters. */
function readPageCursor(text: string): string | null {
  const id = Buffer.from(text, 'base64url').toString()
  return /^[\w+]{1,64}$/.test(id) && writePageCursor(id) === text ? id : null
}

/** The `next_cursor` of the page before, as the id of that page's last record. */
const pageCursor = z
  .string()
  .min(1)
  .refine((text) => readPageCursor(text) !== null, {
    error: 'Expected the next_cursor of an earlier answer',
    params: { code: 'invalid_cursor' },
  })
  .transform(readPageCursor)

/** How a list is paged. */
export const pageQuery = z.strictObject({
  limit: queryNumber(z.int().min(1).max(PAGE_MAX).default(PAGE_MAX)),
  cursor: pageCursor.nullable().default(null),
})

/** What stands beside the array of a list; null at the end. */
export const nextCursor = z.string().nullable()
