import { ok, refused } from '#functions/middleware/answer.ts'
import type { Operation } from '#functions/middleware/http.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'
import { deleteAssistant } from '#shared/use-cases/delete-assistant.ts'

/** DELETE /assistants/{id} */
export const deleteAssistantOperation: Operation<
  Pick<ServicePorts, 'assistants' | 'calls' | 'clock'>,
  'deleteAssistant'
> = async (ports, { caller, params }) => {
  const result = await deleteAssistant(ports, {
    organizationId: caller.organizationId,
    assistantId: params.id,
  })
  switch (result) {
    case 'deleted':
      return ok({ success: true })
    case 'not_found':
      return refused('not_found', 'There is no assistant with this id')
    case 'in_use':
      return refused('assistant_in_use', 'Calls that are not finished use this assistant')
  }
}
