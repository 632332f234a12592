import { compose } from '#functions/compose.ts'
import { httpHandler, type Operations } from '#functions/middleware/http.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { cloneAssistantOperation } from './clone-assistant.ts'
import { createAssistantOperation } from './create-assistant.ts'
import { deleteAssistantOperation } from './delete-assistant.ts'
import { getAssistantOperation } from './get-assistant.ts'
import { listAssistantsOperation } from './list-assistants.ts'
import { updateAssistantOperation } from './update-assistant.ts'

export const assistantOperations: Operations<ServicePorts, 'assistants'> = {
  createAssistant: createAssistantOperation,
  listAssistants: listAssistantsOperation,
  getAssistant: getAssistantOperation,
  updateAssistant: updateAssistantOperation,
  deleteAssistant: deleteAssistantOperation,
  cloneAssistant: cloneAssistantOperation,
}

export const handler = httpHandler(assistantOperations, compose)
