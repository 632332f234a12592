/** Lambda answers at most 6 MB. */
const PAGE_BYTES_MAX = 5 * 1024 * 1024

/** As much of a page of records as one answer takes, written for it; the rest is the next page. */
export function fittingPage<T extends { readonly id: string }, Wire>(
  page: { readonly records: readonly T[]; readonly nextCursor: string | null },
  toWire: (record: T) => Wire,
): { readonly items: Wire[]; readonly nextCursor: string | null } {
  const items: Wire[] = []
  let bytes = 0
  for (const [index, record] of page.records.entries()) {
    const item = toWire(record)
    bytes += Buffer.byteLength(JSON.stringify(item))
    const last = page.records[index - 1]
    if (bytes > PAGE_BYTES_MAX && last !== undefined) return { items, nextCursor: last.id }
    items.push(item)
  }
  return { items, nextCursor: page.nextCursor }
}
