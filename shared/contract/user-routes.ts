/** The operations on the user who asks: spec 4.5. */

import * as z from 'zod'

import { noParams } from './route-parts.ts'
import type { Route } from './route.ts'
import { updateUserBody, userSchema } from './user.ts'

const user = {
  path: '/users/me',
  group: 'users',
  auth: 'key',
  params: noParams,
  response: z.strictObject({ user: userSchema }),
} as const

export const userRoutes = {
  getCurrentUser: { ...user, method: 'GET', scope: 'users:read', body: null },
  updateCurrentUser: { ...user, method: 'PATCH', scope: 'users:write', body: updateUserBody },
} as const satisfies Record<string, Route>
