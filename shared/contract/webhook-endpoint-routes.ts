/** The operations on webhook endpoints: decisions 4 and 5. */

import * as z from 'zod'

import { nextCursor, pageQuery } from './page.ts'
import { idParam, noParams, success } from './route-parts.ts'
import type { Route } from './route.ts'
import {
  createWebhookEndpointBody,
  updateWebhookEndpointBody,
  webhookEndpointSchema,
} from './webhook-endpoint.ts'

const endpoints = {
  path: '/webhook-endpoints',
  group: 'webhook-endpoints',
  auth: 'key',
  params: noParams,
  response: z.strictObject({ webhook_endpoint: webhookEndpointSchema }),
} as const
const oneEndpoint = { ...endpoints, path: '/webhook-endpoints/{id}', params: idParam } as const

export const webhookEndpointRoutes = {
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
} as const satisfies Record<string, Route>
