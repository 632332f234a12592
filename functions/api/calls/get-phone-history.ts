import { ok } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { readCallCursor, writeCallCursor } from '#shared/contract/call-cursor.ts'
import { toIso } from '#shared/domain/time.ts'
import { phoneHistory } from '#shared/use-cases/phone-history.ts'

/** GET /calls/phone-history */
export const getPhoneHistoryOperation: Operation<
  Parameters<typeof phoneHistory>[0],
  'getPhoneHistory'
> = async (ports, { caller, query }) => {
  const { history, next } = await phoneHistory(ports, {
    organizationId: caller.organizationId,
    limit: query.limit,
    after: query.cursor === null ? null : readCallCursor(query.cursor),
  })
  return ok({
    phone_history: history.map(({ last, ...known }) => ({
      phone_number: known.phoneNumber,
      calls_count: known.callsCount,
      answered_count: known.answeredCount,
      inbound_count: known.inboundCount,
      last_call_id: last.id,
      last_call_at: toIso(last.createdAt),
      last_status: last.status,
      last_outcome: last.outcome,
      suppressed: known.isSuppressed,
    })),
    next_cursor: next && writeCallCursor(next),
  })
}
