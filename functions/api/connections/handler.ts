import { compose, connections, http, idempotency } from '#functions/compose.ts'
import { httpHandler } from '#functions/middleware/http.ts'
import { connectionRoutes } from '#shared/contract/connection-routes.ts'

import {
  createConnectionOperation,
  deleteConnectionOperation,
  getConnectionOperation,
  listConnectionsOperation,
  updateConnectionOperation,
} from './connection-operations.ts'

export const connectionHandler = httpHandler(connectionRoutes, {
  createConnection: createConnectionOperation,
  listConnections: listConnectionsOperation,
  getConnection: getConnectionOperation,
  updateConnection: updateConnectionOperation,
  deleteConnection: deleteConnectionOperation,
})

export const ports = compose({ ...http, idempotency, connections })
export const handler = connectionHandler(ports)
