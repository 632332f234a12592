import { compose, http, idempotency, organizations } from '#functions/compose.ts'
import { httpHandler } from '#functions/middleware/http.ts'
import { userRoutes } from '#shared/contract/user-routes.ts'

import { getCurrentUserOperation, updateCurrentUserOperation } from './current-user.ts'

export const userHandler = httpHandler(userRoutes, {
  getCurrentUser: getCurrentUserOperation,
  updateCurrentUser: updateCurrentUserOperation,
})

export const ports = compose({ ...http, idempotency, organizations })
export const handler = userHandler(ports)
