import { assistants, calls, compose, http, idempotency, organizations } from '#functions/compose.ts'
import { httpHandler } from '#functions/middleware/http.ts'
import { assistantRoutes } from '#shared/contract/assistant-routes.ts'

import { cloneAssistantOperation } from './clone-assistant.ts'
import { createAssistantOperation } from './create-assistant.ts'
import { deleteAssistantOperation } from './delete-assistant.ts'
import { getAssistantOperation } from './get-assistant.ts'
import { listAssistantsOperation } from './list-assistants.ts'
import { updateAssistantOperation } from './update-assistant.ts'

export const assistantHandler = httpHandler(assistantRoutes, {
  createAssistant: createAssistantOperation,
  listAssistants: listAssistantsOperation,
  getAssistant: getAssistantOperation,
  updateAssistant: updateAssistantOperation,
  deleteAssistant: deleteAssistantOperation,
  cloneAssistant: cloneAssistantOperation,
})

export const ports = compose({ ...http, idempotency, assistants, calls, organizations })
export const handler = assistantHandler(ports)
