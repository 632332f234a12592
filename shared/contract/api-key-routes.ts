/** The operations on API keys: decisions 1 and 5. */

import * as z from 'zod'

import { apiKeySchema, createApiKeyBody, newApiKeyAnswer, rotateApiKeyBody } from './api-key.ts'
import { nextCursor, pageQuery } from './page.ts'
import { idParam, noParams, success } from './route-parts.ts'
import type { Route } from './route.ts'

const ownApiKeys = { path: '/api-keys', group: 'api-keys', auth: 'key', params: noParams } as const
const oneApiKey = { ...ownApiKeys, path: '/api-keys/{id}', params: idParam } as const

export const apiKeyRoutes = {
  createApiKey: {
    ...ownApiKeys,
    method: 'POST',
    scope: 'api-keys:write',
    isShownOnce: true,
    body: createApiKeyBody,
    response: newApiKeyAnswer,
  },
  listApiKeys: {
    ...ownApiKeys,
    method: 'GET',
    scope: 'api-keys:read',
    query: pageQuery,
    body: null,
    response: z.strictObject({ api_keys: z.array(apiKeySchema), next_cursor: nextCursor }),
  },
  getApiKey: {
    ...oneApiKey,
    method: 'GET',
    scope: 'api-keys:read',
    body: null,
    response: z.strictObject({ api_key: apiKeySchema }),
  },
  rotateApiKey: {
    ...oneApiKey,
    method: 'POST',
    path: '/api-keys/{id}/rotate',
    scope: 'api-keys:write',
    isShownOnce: true,
    body: rotateApiKeyBody,
    response: newApiKeyAnswer,
  },
  revokeApiKey: {
    ...oneApiKey,
    method: 'DELETE',
    scope: 'api-keys:write',
    body: null,
    response: success,
  },
} as const satisfies Record<string, Route>
