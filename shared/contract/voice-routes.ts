/** The catalogue of voices: spec 4.5, decisions 2. */

import * as z from 'zod'

import { noParams } from './route-parts.ts'
import type { Route } from './route.ts'
import { catalogueVoiceSchema, voicesQuery } from './voice-catalogue.ts'

export const voiceRoutes = {
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
} as const satisfies Record<string, Route>
