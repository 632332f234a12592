import { ok } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { readCallCursor, writeCallCursor } from '#shared/contract/call-cursor.ts'
import { wantedCalls } from '#shared/contract/call-search.ts'
import { searchCalls } from '#shared/use-cases/search-calls.ts'

import { collectCalls, type CollectPorts } from './collect-calls.ts'

type Ports = Parameters<typeof searchCalls>[0] & CollectPorts

/** POST /call/search */
export const searchCallsOperation: Operation<Ports, 'searchCalls'> = async (
  ports,
  { caller, body },
) => {
  const { organizationId } = caller
  const page = await searchCalls(
    ports,
    { organizationId, ...wantedCalls(body) },
    {
      direction: body.sort === 'created_at:asc' ? 'asc' : 'desc',
      limit: body.limit,
      after: body.cursor === null ? null : readCallCursor(body.cursor),
    },
  )
  const { shown, next } = await collectCalls(ports, { organizationId, ...page }, (call) => call)
  return ok({
    calls: [...shown],
    total_count: page.total,
    next_cursor: next && writeCallCursor(next),
  })
}
