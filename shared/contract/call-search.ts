/** POST /call/search: spec 4.4 and decisions 2. */

import * as z from 'zod'

import { OUTCOME_SELECTORS } from '#shared/domain/assistant.ts'
import { ATTEMPT_RESULTS } from '#shared/domain/call-attempt/attempt.ts'
import { CALL_ORDER_STATUSES } from '#shared/domain/call-order/order.ts'
import type { CallFilter } from '#shared/domain/call-search/call-filter.ts'
import { METADATA_TOKEN_LENGTH_MAX, metadataToken } from '#shared/domain/call-search/call-row.ts'
import { parseIso } from '#shared/domain/time.ts'

import { callCursor } from './call-cursor.ts'
import { callOrderSchema } from './call-order.ts'
import { nextCursor } from './page.ts'
import { phoneNumber, recordId, timestampIn } from './scalars.ts'

/** What a filter's expression in the database has room for. */
const VALUES_MAX = 100
const PAIRS_MAX = 20

const ids = z.array(recordId).max(VALUES_MAX)

/** Every pair must be in the call's metadata, with exactly this value. */
const metadata = z
  .record(z.string(), z.string())
  .refine((pairs) => Object.keys(pairs).length <= PAIRS_MAX, {
    error: `Expected at most ${PAIRS_MAX} pairs`,
    params: { code: 'too_long' },
  })
  .refine(
    (pairs) =>
      Object.entries(pairs).every(
        (pair) => metadataToken(pair).length <= METADATA_TOKEN_LENGTH_MAX,
      ),
    {
      error: `A pair that is searched by has at most ${METADATA_TOKEN_LENGTH_MAX} characters`,
      params: { code: 'too_long' },
    },
  )

/** Which calls: AND between fields, OR inside one. An empty field restricts nothing. */
export const callFilterFields = {
  /** Part of the call's id, of the phone number or of the contact's name, company, e-mail, title. */
  query: z.string().max(200).default(''),
  assistant_ids: ids.default([]),
  campaign_ids: ids.default([]),
  statuses: z.array(z.enum(CALL_ORDER_STATUSES)).max(VALUES_MAX).default([]),
  /** Of the last attempt that ended; `none` where it has none. */
  results: z
    .array(z.enum([...ATTEMPT_RESULTS, 'none']))
    .max(VALUES_MAX)
    .default([]),
  outcomes: z.array(z.enum(OUTCOME_SELECTORS)).max(VALUES_MAX).default([]),
  directions: z
    .array(z.enum(['inbound', 'outbound']))
    .max(VALUES_MAX)
    .default([]),
  /** On the other side of the line. */
  phone_number: phoneNumber.nullable().default(null),
  /** Included. */
  created_from: timestampIn.nullable().default(null),
  /** Excluded. */
  created_to: timestampIn.nullable().default(null),
  metadata: metadata.default({}),
}

export const searchCallsBody = z.strictObject({
  ...callFilterFields,
  sort: z.enum(['created_at:desc', 'created_at:asc']).default('created_at:desc'),
  limit: z.int().min(1).max(200).default(50),
  cursor: callCursor,
})

/** A page may be shorter than asked for: `next_cursor` alone says whether there is more. */
export const searchCallsAnswer = z.strictObject({
  calls: z.array(callOrderSchema),
  total_count: z.int(),
  next_cursor: nextCursor,
})

type FilterBody = z.output<z.ZodObject<typeof callFilterFields>>

/** What a body asks for, in the domain's words; `null` where time is not restricted. */
export function wantedCalls(body: FilterBody): {
  readonly filter: CallFilter
  readonly createdFrom: number | null
  readonly createdTo: number | null
} {
  return {
    filter: {
      text: body.query,
      assistantIds: body.assistant_ids,
      campaignIds: body.campaign_ids,
      statuses: unique(body.statuses),
      results: unique(body.results),
      outcomes: unique(body.outcomes),
      directions: unique(body.directions),
      phoneNumber: body.phone_number,
      metadata: body.metadata,
    },
    createdFrom: body.created_from === null ? null : parseIso(body.created_from),
    createdTo: body.created_to === null ? null : parseIso(body.created_to),
  }
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
