/** The operations on the do-not-call list: decisions 5. */

import * as z from 'zod'

import { nextCursor, pageQuery } from './page.ts'
import { noParams, success } from './route-parts.ts'
import type { Route } from './route.ts'
import { createSuppressionBody, suppressionParams, suppressionSchema } from './suppression.ts'

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

export const suppressionRoutes = {
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
} as const satisfies Record<string, Route>
