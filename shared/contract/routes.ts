/**
 * Every operation of the service, as data: the API stack, the local gateway, the handlers, the
 * contract tests and the OpenAPI document read this one table. Paths stand below the base path.
 */

import * as z from 'zod'

import type { RateClass } from '#shared/domain/rate-limit.ts'

import { accountRoutes } from './account-routes.ts'
import {
  assistantSchema,
  createAssistantBody,
  unpatchedCallsNotice,
  updateAssistantBody,
} from './assistant.ts'
import { exportCallsAnswer, exportCallsBody } from './call-export.ts'
import { callOrderSchema } from './call-order.ts'
import { searchCallsAnswer, searchCallsBody } from './call-search.ts'
import { createCallBody } from './call.ts'
import { campaignRoutes } from './campaign-routes.ts'
import { nextCursor, pageQuery } from './page.ts'
import { phoneHistoryAnswer, phoneHistoryQuery } from './phone-history.ts'
import { createPhoneNumberBody, phoneNumberSchema, updatePhoneNumberBody } from './phone-number.ts'
import type { ProblemCode } from './problem.ts'
import { idParam, noParams, success } from './route-parts.ts'

/** `{base_url}` is the host with this path (decisions 1). */
export const BASE_PATH = '/v1'

/** One Lambda each. */
export type Group =
  | 'assistants'
  | 'calls'
  | 'campaigns'
  | 'carrier-events'
  | 'docs'
  | 'phone-numbers'
  | 'users'
  | 'voices'
  | 'api-keys'
  | 'connections'
  | 'webhook-endpoints'
  | 'suppressions'

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly group: Group
  /**
   * `key`: an API key with the scope; `carrier`: the handler checks the carrier's own signature;
   * `none`: everybody may read it.
   */
  readonly auth: 'key' | 'carrier' | 'none'
  readonly scope: `${string}:${'read' | 'write'}` | null
  /** The answer holds a secret that is shown once: kept for repetitions, it is sealed. */
  readonly isShownOnce?: true
  /** Which of an organization's rates it counts against; absent: the default one. */
  readonly rate?: RateClass
  /** What the variables of the path look like; another text there names nothing. */
  readonly params: z.ZodType<Readonly<Record<string, string>>>
  /** The parameters after the `?`; absent where they mean nothing. */
  readonly query?: z.ZodType
  /** Null where a body means nothing. */
  readonly body: z.ZodType | null
  /** Where a body may be larger than others: how large, and what is said beyond that. */
  readonly largeBody?: { readonly bytesMax: number; readonly beyond: ProblemCode }
  readonly response: z.ZodType | null
}

const callAnswer = z.strictObject({ call: callOrderSchema })
const phoneNumberAnswer = z.strictObject({ phone_number: phoneNumberSchema })

const callAction = {
  method: 'POST',
  group: 'calls',
  auth: 'key',
  scope: 'calls:write',
  params: idParam,
  body: null,
  response: success,
} as const

const oneAssistant = {
  path: '/assistants/{id}',
  group: 'assistants',
  auth: 'key',
  params: idParam,
} as const

const openPage = {
  method: 'GET',
  group: 'docs',
  auth: 'none',
  scope: null,
  body: null,
  response: null,
} as const

export const routes = {
  createAssistant: {
    method: 'POST',
    path: '/assistants',
    group: 'assistants',
    auth: 'key',
    scope: 'assistants:write',
    params: noParams,
    body: createAssistantBody,
    response: z.strictObject({ assistant: assistantSchema }),
  },
  listAssistants: {
    method: 'GET',
    path: '/assistants',
    group: 'assistants',
    auth: 'key',
    scope: 'assistants:read',
    params: noParams,
    query: pageQuery,
    body: null,
    response: z.strictObject({ assistants: z.array(assistantSchema), next_cursor: nextCursor }),
  },
  getAssistant: {
    ...oneAssistant,
    method: 'GET',
    scope: 'assistants:read',
    body: null,
    response: assistantSchema,
  },
  updateAssistant: {
    ...oneAssistant,
    method: 'PATCH',
    scope: 'assistants:write',
    body: updateAssistantBody,
    response: z.strictObject({
      assistant: assistantSchema,
      unpatchedCallsNotice: unpatchedCallsNotice.optional(),
    }),
  },
  deleteAssistant: {
    ...oneAssistant,
    method: 'DELETE',
    scope: 'assistants:write',
    body: null,
    response: success,
  },
  cloneAssistant: {
    ...oneAssistant,
    method: 'POST',
    path: '/assistants/{id}/clone',
    scope: 'assistants:write',
    body: null,
    response: z.strictObject({ assistant: assistantSchema }),
  },
  createCall: {
    method: 'POST',
    path: '/call',
    group: 'calls',
    auth: 'key',
    scope: 'calls:write',
    rate: 'calls',
    params: noParams,
    body: createCallBody,
    response: callAnswer,
  },
  getCall: {
    method: 'GET',
    path: '/call/{id}',
    group: 'calls',
    auth: 'key',
    scope: 'calls:read',
    params: idParam,
    body: null,
    response: callAnswer,
  },
  pauseCall: { ...callAction, path: '/call/{id}/pause' },
  resumeCall: { ...callAction, path: '/call/{id}/resume' },
  cancelCall: { ...callAction, path: '/call/{id}/cancel' },
  searchCalls: {
    method: 'POST',
    path: '/call/search',
    group: 'calls',
    auth: 'key',
    scope: 'calls:read',
    params: noParams,
    body: searchCallsBody,
    response: searchCallsAnswer,
  },
  exportCalls: {
    method: 'POST',
    path: '/call/export',
    group: 'calls',
    auth: 'key',
    scope: 'calls:read',
    params: noParams,
    body: exportCallsBody,
    response: exportCallsAnswer,
  },
  getPhoneHistory: {
    method: 'GET',
    path: '/calls/phone-history',
    group: 'calls',
    auth: 'key',
    scope: 'calls:read',
    params: noParams,
    query: phoneHistoryQuery,
    body: null,
    response: phoneHistoryAnswer,
  },
  listPhoneNumbers: {
    method: 'GET',
    path: '/phone-numbers',
    group: 'phone-numbers',
    auth: 'key',
    scope: 'phone-numbers:read',
    params: noParams,
    query: pageQuery,
    body: null,
    response: z.strictObject({
      phone_numbers: z.array(phoneNumberSchema),
      next_cursor: nextCursor,
    }),
  },
  createPhoneNumber: {
    method: 'POST',
    path: '/phone-numbers',
    group: 'phone-numbers',
    auth: 'key',
    scope: 'phone-numbers:write',
    params: noParams,
    body: createPhoneNumberBody,
    response: phoneNumberAnswer,
  },
  updatePhoneNumber: {
    method: 'PATCH',
    path: '/phone-numbers/{id}',
    group: 'phone-numbers',
    auth: 'key',
    scope: 'phone-numbers:write',
    params: idParam,
    body: updatePhoneNumberBody,
    response: phoneNumberAnswer,
  },
  deletePhoneNumber: {
    method: 'DELETE',
    path: '/phone-numbers/{id}',
    group: 'phone-numbers',
    auth: 'key',
    scope: 'phone-numbers:write',
    params: idParam,
    body: null,
    response: success,
  },
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
  getOpenApi: { ...openPage, path: '/openapi.json', params: noParams },
  getReference: { ...openPage, path: '/docs', params: noParams },
  getReferenceFile: {
    ...openPage,
    path: '/docs/{file}',
    params: z.strictObject({ file: z.string().min(1).max(64) }),
  },
  ...accountRoutes,
  ...campaignRoutes,
} as const satisfies Record<string, Route>

/** Whether an operation takes an `Idempotency-Key`: it is no reading and could be done twice. */
export function takesIdempotencyKey(route: Pick<Route, 'method' | 'scope'>): boolean {
  return route.method === 'POST' && route.scope?.endsWith(':write') === true
}

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
