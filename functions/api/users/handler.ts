import { compose } from '#functions/compose.ts'
import { httpHandler, type Operations } from '#functions/middleware/http.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { getCurrentUserOperation, updateCurrentUserOperation } from './current-user.ts'

export const userOperations: Operations<ServicePorts, 'users'> = {
  getCurrentUser: getCurrentUserOperation,
  updateCurrentUser: updateCurrentUserOperation,
}

export const handler = httpHandler(userOperations, compose)
