/** The operations on assistants: spec 4.1. */

import * as z from 'zod'

import {
  assistantSchema,
  createAssistantBody,
  unpatchedCallsNotice,
  updateAssistantBody,
} from './assistant.ts'
import { nextCursor, pageQuery } from './page.ts'
import { idParam, noParams, success } from './route-parts.ts'
import type { Route } from './route.ts'

const oneAssistant = {
  path: '/assistants/{id}',
  group: 'assistants',
  auth: 'key',
  params: idParam,
} as const

export const assistantRoutes = {
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
} as const satisfies Record<string, Route>
