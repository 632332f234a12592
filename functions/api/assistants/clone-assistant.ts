import { ok, refused } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { assistantToWire } from '#shared/contract/assistant-to-wire.ts'
import { cloneAssistant } from '#shared/use-cases/clone-assistant.ts'
import type { CreateAssistantPorts } from '#shared/use-cases/create-assistant.ts'

/** POST /assistants/{id}/clone */
export const cloneAssistantOperation: Operation<CreateAssistantPorts, 'cloneAssistant'> = async (
  ports,
  { caller, params },
) => {
  const { organizationId, userId } = caller
  const assistant = await cloneAssistant(ports, { organizationId, userId, assistantId: params.id })
  if (assistant === null) return refused('not_found', 'There is no assistant with this id')
  return ok({ assistant: assistantToWire(assistant) })
}
