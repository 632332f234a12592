import { ok } from '#functions/middleware/answer.ts'
import { fittingPage } from '#functions/middleware/fitting-page.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { assistantToWire } from '#shared/contract/assistant-to-wire.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

/** GET /assistants */
export const listAssistantsOperation: Operation<
  Pick<ServicePorts, 'assistants'>,
  'listAssistants'
> = async (ports, { caller, query }) => {
  const { assistants: records, nextCursor } = await ports.assistants.list(
    caller.organizationId,
    query,
  )
  const page = fittingPage({ records, nextCursor }, assistantToWire)
  return ok({ assistants: page.items, next_cursor: page.nextCursor })
}
