/**
 * Every operation of the service, as data: the API stack, the local gateway, the contract tests and
 * the OpenAPI document read this one table; a group's function reads its own part. Paths stand below
 * the base path.
 */

import * as z from 'zod'

import { apiKeyRoutes } from './api-key-routes.ts'
import { assistantRoutes } from './assistant-routes.ts'
import { callRoutes } from './call-routes.ts'
import { campaignRoutes } from './campaign-routes.ts'
import { connectionRoutes } from './connection-routes.ts'
import { phoneNumberRoutes } from './phone-number-routes.ts'
import { noParams } from './route-parts.ts'
import type { Group, Route } from './route.ts'
import { suppressionRoutes } from './suppression-routes.ts'
import { userRoutes } from './user-routes.ts'
import { voiceRoutes } from './voice-routes.ts'
import { webhookEndpointRoutes } from './webhook-endpoint-routes.ts'

const openPage = {
  method: 'GET',
  group: 'docs',
  auth: 'none',
  scope: null,
  body: null,
  response: null,
} as const

export const routes = {
  ...assistantRoutes,
  ...callRoutes,
  ...phoneNumberRoutes,
  receiveCarrierEvent: {
    method: 'POST',
    path: '/carrier-events/{provider}',
    group: 'carrier-events',
    auth: 'carrier',
    scope: null,
    params: z.strictObject({ provider: z.string().min(1).max(64) }),
    body: null,
    response: null,
  },
  receiveInboundCall: {
    method: 'POST',
    path: '/inbound-calls/{provider}',
    group: 'inbound-calls',
    auth: 'carrier',
    scope: null,
    params: z.strictObject({ provider: z.string().min(1).max(64) }),
    body: null,
    response: null,
  },
  getOpenApi: { ...openPage, path: '/openapi.json', params: noParams },
  getReference: { ...openPage, path: '/docs', params: noParams },
  getReferenceFile: {
    ...openPage,
    path: '/docs/{file}',
    params: z.strictObject({ file: z.string().min(1).max(64) }),
  },
  ...userRoutes,
  ...voiceRoutes,
  ...apiKeyRoutes,
  ...connectionRoutes,
  ...webhookEndpointRoutes,
  ...suppressionRoutes,
  ...campaignRoutes,
} as const satisfies Record<string, Route>

export type OperationId = keyof typeof routes
/** The operations that one group's Lambda answers. */
export type OperationOf<G extends Group> = {
  [Id in OperationId]: (typeof routes)[Id]['group'] extends G ? Id : never
}[OperationId]

type SchemaOutput<S> = S extends z.ZodType ? z.output<S> : null
export type ParamsOf<Id extends OperationId> = SchemaOutput<(typeof routes)[Id]['params']>
export type QueryOf<Id extends OperationId> = (typeof routes)[Id] extends {
  readonly query: infer Query
}
  ? SchemaOutput<Query>
  : null
export type BodyOf<Id extends OperationId> = SchemaOutput<(typeof routes)[Id]['body']>
export type ResponseOf<Id extends OperationId> = SchemaOutput<(typeof routes)[Id]['response']>
