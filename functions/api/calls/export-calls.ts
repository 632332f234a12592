import { ok } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { readCallCursor, writeCallCursor } from '#shared/contract/call-cursor.ts'
import { exportCell } from '#shared/contract/call-export.ts'
import { wantedCalls } from '#shared/contract/call-search.ts'
import { csvRow } from '#shared/domain/call-search/csv-row.ts'
import { toIso } from '#shared/domain/time.ts'
import { listCalls } from '#shared/use-cases/search-calls.ts'

import { collectCalls, type CollectPorts } from './collect-calls.ts'

type Ports = Parameters<typeof listCalls>[0] & CollectPorts

/** POST /call/export: oldest first, so that calls made meanwhile come last. */
export const exportCallsOperation: Operation<Ports, 'exportCalls'> = async (
  ports,
  { caller, body },
) => {
  const { organizationId } = caller
  const { columns } = body
  const after = body.offset === null ? null : readCallCursor(body.offset)
  const page = await listCalls(
    ports,
    { organizationId, ...wantedCalls(body) },
    { direction: 'asc', limit: body.limit, after },
  )
  const { shown, next } = await collectCalls(ports, { organizationId, ...page }, (call) =>
    csvRow(columns.map((column) => exportCell(call, column))),
  )
  const header = after === null ? csvRow(columns) : ''
  const date = toIso(ports.clock.now()).slice(0, 10)
  return ok({
    csv: header + shown.join(''),
    filename: `calls_${organizationId}_${date}.csv`,
    next_offset: next && writeCallCursor(next),
  })
}
