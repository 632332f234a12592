/** The operations on connections: decisions 5. */

import * as z from 'zod'

import { connectionSchema, createConnectionBody, updateConnectionBody } from './connection.ts'
import { nextCursor, pageQuery } from './page.ts'
import { idParam, noParams, success } from './route-parts.ts'
import type { Route } from './route.ts'

const connections = {
  path: '/connections',
  group: 'connections',
  auth: 'key',
  params: noParams,
  response: z.strictObject({ connection: connectionSchema }),
} as const
const oneConnection = { ...connections, path: '/connections/{id}', params: idParam } as const

export const connectionRoutes = {
  createConnection: {
    ...connections,
    method: 'POST',
    scope: 'connections:write',
    body: createConnectionBody,
  },
  listConnections: {
    ...connections,
    method: 'GET',
    scope: 'connections:read',
    query: pageQuery,
    body: null,
    response: z.strictObject({ connections: z.array(connectionSchema), next_cursor: nextCursor }),
  },
  getConnection: { ...oneConnection, method: 'GET', scope: 'connections:read', body: null },
  updateConnection: {
    ...oneConnection,
    method: 'PATCH',
    scope: 'connections:write',
    body: updateConnectionBody,
  },
  deleteConnection: {
    ...oneConnection,
    method: 'DELETE',
    scope: 'connections:write',
    body: null,
    response: success,
  },
} as const satisfies Record<string, Route>
