import { ok, refused } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { assistantToWire } from '#shared/contract/assistant-to-wire.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'
import { findAssistant } from '#shared/use-cases/find-assistant.ts'

/** GET /assistants/{id} */
export const getAssistantOperation: Operation<
  Pick<ServicePorts, 'assistants'>,
  'getAssistant'
> = async (ports, { caller, params }) => {
  const assistant = await findAssistant(ports, {
    organizationId: caller.organizationId,
    assistantId: params.id,
  })
  if (assistant === null) return refused('not_found', 'There is no assistant with this id')
  return ok(assistantToWire(assistant))
}
