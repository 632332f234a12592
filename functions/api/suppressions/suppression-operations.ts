import { ok, refused } from '#functions/middleware/answer.ts'
import { fittingPage } from '#functions/middleware/fitting-page.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { suppressionToWire } from '#shared/contract/suppression.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'
import { suppressNumber } from '#shared/use-cases/suppress-number.ts'

type Ports = Pick<ServicePorts, 'suppressions' | 'clock'>

const unknown = refused('not_found', 'This number is not suppressed')

/** POST /suppressions: of a number that is suppressed already, the reason changes. */
export const createSuppressionOperation: Operation<Ports, 'createSuppression'> = async (
  ports,
  { caller, body },
) => {
  const suppression = await suppressNumber(ports, {
    organizationId: caller.organizationId,
    phoneNumber: body.phone_number,
    reason: body.reason,
  })
  return ok({ suppression: suppressionToWire(suppression) })
}

/** GET /suppressions */
export const listSuppressionsOperation: Operation<Ports, 'listSuppressions'> = async (
  ports,
  { caller, query },
) => {
  const found = await ports.suppressions.list(caller.organizationId, query)
  const { items, nextCursor } = fittingPage(found, suppressionToWire)
  return ok({ suppressions: items, next_cursor: nextCursor })
}

/** GET /suppressions/{phone_number} */
export const getSuppressionOperation: Operation<Ports, 'getSuppression'> = async (
  ports,
  { caller, params },
) => {
  const found = await ports.suppressions.find(caller.organizationId, params.phone_number)
  return found === null ? unknown : ok({ suppression: suppressionToWire(found) })
}

/** DELETE /suppressions/{phone_number} */
export const deleteSuppressionOperation: Operation<Ports, 'deleteSuppression'> = async (
  ports,
  { caller, params },
) => {
  const wasThere = await ports.suppressions.remove(caller.organizationId, params.phone_number)
  return wasThere ? ok({ success: true }) : unknown
}
