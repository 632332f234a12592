import { writePageCursor } from '#shared/contract/page.ts'

import { ANSWER_BYTES_MAX, answerBytes } from './answer-bytes.ts'

/** As much of a page of records as one answer takes, written for it; the rest is the next page. */
export function fittingPage<T extends { readonly id: string }, Wire>(
  page: { readonly records: readonly T[]; readonly nextCursor: string | null },
  toWire: (record: T) => Wire,
): { readonly items: Wire[]; readonly nextCursor: string | null } {
  const items: Wire[] = []
  let bytes = 0
  for (const [index, record] of page.records.entries()) {
    const item = toWire(record)
    bytes += answerBytes(item)
    const last = page.records[index - 1]
    if (bytes > ANSWER_BYTES_MAX && last !== undefined) {
      return { items, nextCursor: writePageCursor(last.id) }
    }
    items.push(item)
  }
  return { items, nextCursor: page.nextCursor && writePageCursor(page.nextCursor) }
}
