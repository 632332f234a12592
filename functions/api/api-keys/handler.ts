import { compose, http, organizations, sealedIdempotency } from '#functions/compose.ts'
import { httpHandler } from '#functions/middleware/http.ts'
import { apiKeyRoutes } from '#shared/contract/api-key-routes.ts'

import { createApiKeyOperation, rotateApiKeyOperation } from './issue-api-key.ts'
import { getApiKeyOperation, listApiKeysOperation, revokeApiKeyOperation } from './keep-api-keys.ts'

export const apiKeyHandler = httpHandler(apiKeyRoutes, {
  createApiKey: createApiKeyOperation,
  listApiKeys: listApiKeysOperation,
  getApiKey: getApiKeyOperation,
  rotateApiKey: rotateApiKeyOperation,
  revokeApiKey: revokeApiKeyOperation,
})

export const ports = compose({ ...http, idempotency: sealedIdempotency, organizations })
export const handler = apiKeyHandler(ports)
