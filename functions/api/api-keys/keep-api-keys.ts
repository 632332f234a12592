import { ok, refused } from '#functions/middleware/answer.ts'
import { fittingPage } from '#functions/middleware/fitting-page.ts'
import type { Operation } from '#functions/middleware/http.ts'
import { apiKeyToWire } from '#shared/contract/api-key.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

type Ports = Pick<ServicePorts, 'organizations' | 'clock'>

const unknown = refused('not_found', 'There is no API key with this id')

/** GET /api-keys */
export const listApiKeysOperation: Operation<Ports, 'listApiKeys'> = async (
  ports,
  { caller, query },
) => {
  const found = await ports.organizations.listApiKeys(caller.organizationId, query)
  const { items, nextCursor } = fittingPage(found, apiKeyToWire)
  return ok({ api_keys: items, next_cursor: nextCursor })
}

/** GET /api-keys/{id} */
export const getApiKeyOperation: Operation<Ports, 'getApiKey'> = async (
  ports,
  { caller, params },
) => {
  const apiKey = await ports.organizations.findApiKeyById(caller.organizationId, params.id)
  return apiKey === null ? unknown : ok({ api_key: apiKeyToWire(apiKey) })
}

/** DELETE /api-keys/{id}: the key is refused from now on, at the latest after 60 s. */
export const revokeApiKeyOperation: Operation<Ports, 'revokeApiKey'> = async (
  ports,
  { caller, params },
) => {
  const apiKey = await ports.organizations.findApiKeyById(caller.organizationId, params.id)
  if (apiKey === null) return unknown
  if (apiKey.revokedAt === null) {
    await ports.organizations.changeApiKey(apiKey.hash, { revokedAt: ports.clock.now() })
  }
  return ok({ success: true })
}
