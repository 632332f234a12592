/** The operations on phone numbers: spec 4.3, decisions 5. */

import * as z from 'zod'

import { nextCursor, pageQuery } from './page.ts'
import { createPhoneNumberBody, phoneNumberSchema, updatePhoneNumberBody } from './phone-number.ts'
import { idParam, noParams, success } from './route-parts.ts'
import type { Route } from './route.ts'

const phoneNumberAnswer = z.strictObject({ phone_number: phoneNumberSchema })

export const phoneNumberRoutes = {
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
} as const satisfies Record<string, Route>
