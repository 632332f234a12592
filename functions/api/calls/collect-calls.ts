import { ANSWER_BYTES_MAX, answerBytes } from '#functions/middleware/answer-bytes.ts'
import type { CallOrderWire } from '#shared/contract/call-order.ts'
import { callToWire } from '#shared/contract/call-to-wire.ts'
import type { CallPosition } from '#shared/domain/call-search/call-row.ts'
import { readCalls } from '#shared/use-cases/read-calls.ts'
import type { CallPage } from '#shared/use-cases/search-calls.ts'

export type CollectPorts = Parameters<typeof readCalls>[0]

/**
 * The calls of a page as an answer shows them, until it is full; the first always has room. `next`
 * is the last call of this part, or null when nothing follows.
 */
export async function collectCalls<T>(
  ports: CollectPorts,
  page: CallPage & { readonly organizationId: string },
  show: (call: CallOrderWire) => T,
): Promise<{ readonly shown: readonly T[]; readonly next: CallPosition | null }> {
  const shown: T[] = []
  let last: CallPosition | null = null
  let bytes = 0
  for await (const { row, call } of readCalls(ports, page)) {
    const item = call && show(callToWire(call))
    bytes += item === null ? 0 : answerBytes(item)
    if (bytes > ANSWER_BYTES_MAX && shown.length > 0) return { shown, next: last }
    if (item !== null) shown.push(item)
    last = row
  }
  return { shown, next: page.hasMore ? last : null }
}
