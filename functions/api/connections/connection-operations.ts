import { invalid, ok, refused } from '#functions/middleware/answer.ts'
import { fittingPage } from '#functions/middleware/fitting-page.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { connectionToWire, restoreConnectionSecrets } from '#shared/contract/connection.ts'
import type { FieldError } from '#shared/contract/problem.ts'
import type { Connection } from '#shared/domain/connection.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'
import { changeRecord } from '#shared/use-cases/change-record.ts'
import { createRecord } from '#shared/use-cases/create-record.ts'

type Ports = Pick<ServicePorts, 'connections' | 'clock' | 'ids'>

const unknown = refused('not_found', 'There is no connection with this id')

/** POST /connections */
export const createConnectionOperation: Operation<Ports, 'createConnection'> = async (
  ports,
  { caller, body },
) => {
  const { secrets, errors } = restoreConnectionSecrets(body.secrets, {})
  if (errors.length > 0) return invalid(errors)
  const now = ports.clock.now()
  const connection = await createRecord<Connection>(ports.connections, {
    ...body,
    secrets,
    id: ports.ids.next('conn'),
    organizationId: caller.organizationId,
    createdAt: now,
    updatedAt: now,
  })
  return ok({ connection: connectionToWire(connection) })
}

/** GET /connections */
export const listConnectionsOperation: Operation<Ports, 'listConnections'> = async (
  ports,
  { caller, query },
) => {
  const found = await ports.connections.list(caller.organizationId, query)
  const { items, nextCursor } = fittingPage(found, connectionToWire)
  return ok({ connections: items, next_cursor: nextCursor })
}

/** GET /connections/{id} */
export const getConnectionOperation: Operation<Ports, 'getConnection'> = async (
  ports,
  { caller, params },
) => {
  const connection = await ports.connections.find(caller.organizationId, params.id)
  return connection === null ? unknown : ok({ connection: connectionToWire(connection) })
}

/** PATCH /connections/{id} */
export const updateConnectionOperation: Operation<Ports, 'updateConnection'> = async (
  ports,
  { caller, params, body },
) => {
  const target = { organizationId: caller.organizationId, id: params.id }
  const result = await changeRecord<Connection, readonly FieldError[]>(
    ports.connections,
    target,
    (current) => {
      const sent = body.secrets ?? current.secrets
      const { secrets, errors } = restoreConnectionSecrets(sent, current.secrets)
      if (errors.length > 0) return { kind: 'refused', refusal: errors }
      const record = { ...current, ...body, secrets, updatedAt: ports.clock.now() }
      return { kind: 'changed', record }
    },
  )
  switch (result.kind) {
    case 'not_found':
      return unknown
    case 'refused':
      return invalid(result.refusal)
    case 'changed':
      return ok({ connection: connectionToWire(result.record) })
  }
}

/** DELETE /connections/{id} */
export const deleteConnectionOperation: Operation<Ports, 'deleteConnection'> = async (
  ports,
  { caller, params },
) => {
  const wasThere = await ports.connections.remove(caller.organizationId, params.id)
  return wasThere ? ok({ success: true }) : unknown
}
