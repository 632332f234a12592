/** Orders and attempts as records, and back. */

import { isDeepStrictEqual } from 'node:util'

import { isLive, type CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { callRowOf } from '#shared/domain/call-search/call-row.ts'
import type { TranscriptEntry } from '#shared/domain/transcript.ts'
import type { Change } from '#shared/ports/change.ts'

import type { Item, Write } from './dynamo-table.ts'
import { attemptIndexKeys, orderIndexKeys } from './index-keys.ts'
import { showsLiveTranscript } from './live-transcript.ts'
import { readRecord, recordWrites, TORN, unpack, type Packed } from './stored-record.ts'
import { attemptKeys, orderKeys } from './table.ts'

/** What seldom or never changes in the life of an order. */
interface OrderDocument extends Pick<
  CallOrder,
  'promptVariables' | 'metadata' | 'retryConfig' | 'timeZones'
> {
  /** Inline settings; a reference to a stored assistant stands in the head. */
  readonly assistant?: CallOrder['assistant']
}

/** What is known at the end of an attempt. */
type AttemptDocument = Pick<CallAttempt, 'transcript' | 'speechEvents' | 'structuredOutput'>

const NOTHING_SAID: AttemptDocument = { transcript: [], speechEvents: [], structuredOutput: null }

export async function orderWrites({ before, after }: Change<CallOrder>): Promise<Write[]> {
  const { head, document } = splitOrder(after)
  const { id: _id, createdAt: _createdAt, ...listed } = callRowOf(after)
  const isSame = before !== null && isDeepStrictEqual(splitOrder(before).document, document)
  return recordWrites({
    before,
    version: after.version,
    key: orderKeys.head(after.id),
    indexKeys: orderIndexKeys(after),
    head: { ...head, listed },
    documentKey: orderKeys.document(after.id),
    ...(!isSame && { document }),
  })
}

function splitOrder(order: CallOrder): { head: Item; document: OrderDocument } {
  const { promptVariables, metadata, retryConfig, timeZones, assistant, ...rest } = order
  const document = { promptVariables, metadata, retryConfig, timeZones }
  return assistant.kind === 'inline'
    ? { head: { ...rest, assistant: undefined }, document: { ...document, assistant } }
    : { head: { ...rest, assistant }, document }
}

export async function orderFrom(items: readonly Item[]): Promise<CallOrder | null | typeof TORN> {
  const record = await readRecord<OrderDocument>(items)
  if (record === null || record === TORN) return record
  return { ...record.head, ...record.document } as CallOrder
}

export async function attemptWrites({ before, after }: Change<CallAttempt>): Promise<Write[]> {
  const { head, document } = splitAttempt(after)
  const known = before === null ? NOTHING_SAID : splitAttempt(before).document
  // What was read of a live attempt may be its live transcript, which no document holds yet.
  const isEnding = before !== null && isLive(before) && !isLive(after)
  const isSame = isDeepStrictEqual(known, document)
  return recordWrites({
    before,
    version: after.version,
    key: attemptKeys.head(after.orderId, after.number),
    indexKeys: attemptIndexKeys(after),
    head,
    documentKey: attemptKeys.document(after.orderId, after.number),
    ...((isEnding || !isSame) && { document }),
    label: { number: after.number },
  })
}

function splitAttempt(attempt: CallAttempt): { head: Item; document: AttemptDocument } {
  const { transcript, speechEvents, structuredOutput, ...head } = attempt
  return { head, document: { transcript, speechEvents, structuredOutput } }
}

export async function attemptFrom(
  items: readonly Item[],
): Promise<CallAttempt | null | typeof TORN> {
  const record = await readRecord<AttemptDocument>(items)
  if (record === null || record === TORN) return record
  const attempt = { ...record.head, ...(record.document ?? NOTHING_SAID) } as CallAttempt
  if (!showsLiveTranscript(attempt)) return attempt
  const lines = record.lines.map((line) => unpack<TranscriptEntry>(line['entry'] as Packed))
  return { ...attempt, transcript: await Promise.all(lines) }
}
