import { compose } from '#functions/compose.ts'
import { httpHandler, type Operations } from '#functions/middleware/http.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import {
  createConnectionOperation,
  deleteConnectionOperation,
  getConnectionOperation,
  listConnectionsOperation,
  updateConnectionOperation,
} from './connection-operations.ts'

export const connectionOperations: Operations<ServicePorts, 'connections'> = {
  createConnection: createConnectionOperation,
  listConnections: listConnectionsOperation,
  getConnection: getConnectionOperation,
  updateConnection: updateConnectionOperation,
  deleteConnection: deleteConnectionOperation,
}

export const handler = httpHandler(connectionOperations, compose)
