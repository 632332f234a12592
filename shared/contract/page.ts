import * as z from 'zod'

import { queryNumber, recordId } from './scalars.ts'

/** The most that one answer of a list holds (decisions 1). */
const PAGE_MAX = 1_000

/** How a list is paged: `cursor` is the `next_cursor` of the page before, its last record's id. */
export const pageQuery = z.strictObject({
  limit: queryNumber(z.int().min(1).max(PAGE_MAX).default(PAGE_MAX)),
  cursor: recordId.nullable().default(null),
})

/** What stands beside the array of a list; null at the end. */
export const nextCursor = z.string().nullable()
