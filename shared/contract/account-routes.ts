/** The operations on what belongs to an organization as a whole: spec 4.5, decisions 2 and 5. */

import * as z from 'zod'

import { apiKeySchema, createApiKeyBody, newApiKeyAnswer, rotateApiKeyBody } from './api-key.ts'
import { connectionSchema, createConnectionBody, updateConnectionBody } from './connection.ts'
import { nextCursor, pageQuery } from './page.ts'
import { idParam, noParams, success } from './route-parts.ts'
import type { Route } from './routes.ts'
import { createSuppressionBody, suppressionParams, suppressionSchema } from './suppression.ts'
import { updateUserBody, userSchema } from './user.ts'
import { catalogueVoiceSchema, voicesQuery } from './voice-catalogue.ts'
import {
  createWebhookEndpointBody,
  updateWebhookEndpointBody,
  webhookEndpointSchema,
} from './webhook-endpoint.ts'

const user = {
  path: '/users/me',
  group: 'users',
  auth: 'key',
  params: noParams,
  response: z.strictObject({ user: userSchema }),
} as const

const ownApiKeys = { path: '/api-keys', group: 'api-keys', auth: 'key', params: noParams } as const
const oneApiKey = { ...ownApiKeys, path: '/api-keys/{id}', params: idParam } as const

const connections = {
  path: '/connections',
  group: 'connections',
  auth: 'key',
  params: noParams,
  response: z.strictObject({ connection: connectionSchema }),
} as const
const oneConnection = { ...connections, path: '/connections/{id}', params: idParam } as const

const endpoints = {
  path: '/webhook-endpoints',
  group: 'webhook-endpoints',
  auth: 'key',
  params: noParams,
  response: z.strictObject({ webhook_endpoint: webhookEndpointSchema }),
} as const
const oneEndpoint = { ...endpoints, path: '/webhook-endpoints/{id}', params: idParam } as const

const suppressions = {
  path: '/suppressions',
  group: 'suppressions',
  auth: 'key',
  params: noParams,
  response: z.strictObject({ suppression: suppressionSchema }),
} as const
const oneSuppression = {
  ...suppressions,
  path: '/suppressions/{phone_number}',
  params: suppressionParams,
} as const

const userRoutes = {
  getCurrentUser: { ...user, method: 'GET', scope: 'users:read', body: null },
  updateCurrentUser: { ...user, method: 'PATCH', scope: 'users:write', body: updateUserBody },
} as const

const voiceRoutes = {
  listVoices: {
    method: 'GET',
    path: '/voices',
    group: 'voices',
    auth: 'key',
    scope: 'voices:read',
    params: noParams,
    query: voicesQuery,
    body: null,
    response: z.strictObject({ voices: z.array(catalogueVoiceSchema) }),
  },
} as const

const apiKeyRoutes = {
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
} as const

const connectionRoutes = {
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
} as const

const webhookEndpointRoutes = {
  createWebhookEndpoint: {
    ...endpoints,
    method: 'POST',
    scope: 'webhook-endpoints:write',
    body: createWebhookEndpointBody,
  },
  listWebhookEndpoints: {
    ...endpoints,
    method: 'GET',
    scope: 'webhook-endpoints:read',
    query: pageQuery,
    body: null,
    response: z.strictObject({
      webhook_endpoints: z.array(webhookEndpointSchema),
      next_cursor: nextCursor,
    }),
  },
  getWebhookEndpoint: {
    ...oneEndpoint,
    method: 'GET',
    scope: 'webhook-endpoints:read',
    body: null,
  },
  updateWebhookEndpoint: {
    ...oneEndpoint,
    method: 'PATCH',
    scope: 'webhook-endpoints:write',
    body: updateWebhookEndpointBody,
  },
  deleteWebhookEndpoint: {
    ...oneEndpoint,
    method: 'DELETE',
    scope: 'webhook-endpoints:write',
    body: null,
    response: success,
  },
} as const

const suppressionRoutes = {
  createSuppression: {
    ...suppressions,
    method: 'POST',
    scope: 'suppressions:write',
    body: createSuppressionBody,
  },
  listSuppressions: {
    ...suppressions,
    method: 'GET',
    scope: 'suppressions:read',
    query: pageQuery,
    body: null,
    response: z.strictObject({ suppressions: z.array(suppressionSchema), next_cursor: nextCursor }),
  },
  getSuppression: { ...oneSuppression, method: 'GET', scope: 'suppressions:read', body: null },
  deleteSuppression: {
    ...oneSuppression,
    method: 'DELETE',
    scope: 'suppressions:write',
    body: null,
    response: success,
  },
} as const

export const accountRoutes = {
  ...userRoutes,
  ...voiceRoutes,
  ...apiKeyRoutes,
  ...connectionRoutes,
  ...webhookEndpointRoutes,
  ...suppressionRoutes,
} as const satisfies Record<string, Route>
