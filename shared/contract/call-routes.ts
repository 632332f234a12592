/** The operations on calls: spec 4.4. */

import * as z from 'zod'

import { exportCallsAnswer, exportCallsBody } from './call-export.ts'
import { callOrderSchema } from './call-order.ts'
import { searchCallsAnswer, searchCallsBody } from './call-search.ts'
import { createCallBody } from './call.ts'
import { phoneHistoryAnswer, phoneHistoryQuery } from './phone-history.ts'
import { idParam, noParams, success } from './route-parts.ts'
import type { Route } from './route.ts'

const callAnswer = z.strictObject({ call: callOrderSchema })

const callAction = {
  method: 'POST',
  group: 'calls',
  auth: 'key',
  scope: 'calls:write',
  params: idParam,
  body: null,
  response: success,
} as const

export const callRoutes = {
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
} as const satisfies Record<string, Route>
