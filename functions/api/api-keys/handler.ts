import { compose } from '#functions/compose.ts'
import { httpHandler, type Operations } from '#functions/middleware/http.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { createApiKeyOperation, rotateApiKeyOperation } from './issue-api-key.ts'
import { getApiKeyOperation, listApiKeysOperation, revokeApiKeyOperation } from './keep-api-keys.ts'

export const apiKeyOperations: Operations<ServicePorts, 'api-keys'> = {
  createApiKey: createApiKeyOperation,
  listApiKeys: listApiKeysOperation,
  getApiKey: getApiKeyOperation,
  rotateApiKey: rotateApiKeyOperation,
  revokeApiKey: revokeApiKeyOperation,
}

export const handler = httpHandler(apiKeyOperations, compose)
